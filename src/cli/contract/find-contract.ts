import type { Contract } from '../../core/contract.ts'
import { GateError } from '../../core/errors.ts'
import { contractOf, findContract, type ContractLookup } from '../../policy/contract/find.ts'
import { claudeConfigDir, stateRootFrom } from '../../store/paths.ts'
import { readSkillFile } from '../../store/skill-file.ts'
import { readInstalledSkills, skillCacheFile } from '../../store/skills.ts'
import type { CliContext } from '../command.ts'

/**
 * The contract of an installed skill, or of the SKILL.md that somebody named.
 *
 * @throws GateError SKILL_CONTRACT_NO_CONTRACT when there is none or it is invalid, naming the file and the problem
 */
export async function requireContract(
  skill: string,
  skillFile: string | undefined,
  { env, home }: CliContext,
): Promise<{ readonly contract: Contract; readonly file: string }> {
  const found =
    skillFile === undefined
      ? findContract(
          await readInstalledSkills(claudeConfigDir(env, home), skillCacheFile(stateRootFrom(env, home))),
          skill,
        )
      : contractOf({ file: skillFile, frontmatter: readSkillFile(skillFile) })
  if (found.kind === 'contract') return found
  throw new GateError('SKILL_CONTRACT_NO_CONTRACT', problemOf(found))
}

function problemOf(found: Exclude<ContractLookup, { kind: 'contract' }>): string {
  switch (found.kind) {
    case 'not-installed':
      return 'no installed skill has that name'
    case 'no-contract':
      return `${found.file}: declares no contract`
    case 'broken':
    case 'invalid':
      return `${found.file}: ${found.why}`
  }
}
