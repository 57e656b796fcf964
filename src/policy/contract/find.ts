import type { Contract } from '../../core/contract.ts'
import type { SkillFile } from '../../core/skill-file.ts'
import { plainSkillName } from '../../transcript/skill-load.ts'
import { readContract } from './schema.ts'

export type ContractLookup =
  | { readonly kind: 'not-installed' }
  | { readonly kind: 'no-contract'; readonly file: string }
  /** The frontmatter itself cannot be read, so nobody knows whether it declares a contract. */
  | { readonly kind: 'broken'; readonly file: string; readonly why: string }
  | { readonly kind: 'invalid'; readonly file: string; readonly why: string }
  | { readonly kind: 'contract'; readonly file: string; readonly contract: Contract }

/** Finds a skill by its directory or the name that its frontmatter gives, with or without the `gstack-` prefix. */
export function findContract(skills: readonly SkillFile[], skill: string): ContractLookup {
  const wanted = plainSkillName(skill)
  const found =
    skills.find(({ name }) => plainSkillName(name) === wanted) ??
    skills.find((candidate) => namedInFrontmatter(candidate) === wanted)
  return found === undefined ? { kind: 'not-installed' } : contractOf(found)
}

/** The contract that one SKILL.md declares, or why there is none. */
export function contractOf({ file, frontmatter }: Omit<SkillFile, 'name'>): ContractLookup {
  if (frontmatter.kind === 'broken') return { kind: 'broken', file, why: frontmatter.why }
  const fields = frontmatter.kind === 'read' ? frontmatter.fields : {}
  const read = readContract(fields['contract'])
  switch (read.kind) {
    case 'none':
      return { kind: 'no-contract', file }
    case 'invalid':
      return { kind: 'invalid', file, why: read.problems.join('; ') }
    case 'contract':
      return { kind: 'contract', file, contract: read.contract }
  }
}

function namedInFrontmatter({ frontmatter }: SkillFile): string | undefined {
  const name = frontmatter.kind === 'read' ? frontmatter.fields['name'] : undefined
  return typeof name === 'string' ? plainSkillName(name) : undefined
}
