/** `gstack-slug`: two lines for a shell's `eval`, made of letters, digits and `._-` alone. */

import { realpathSync } from 'node:fs'
import { discoverRepository } from '../git/discover.ts'
import { originUrl } from '../git/origin.ts'
import { readHead } from '../git/refs.ts'
import { plainSlug, projectSlug } from '../store/slug.ts'
import type { CliContext, CommandCall } from './command.ts'

export async function printSlug({ context }: CommandCall): Promise<number> {
  const cwd = spelledCwd(context)
  const slug = await projectSlug({ env: context.env, home: context.home, cwd, originUrl })
  context.stdout(`SLUG=${slug}\nBRANCH=${branchOf(cwd)}\n`)
  return 0
}

/** The directory as the shell spells it, whose links a process does not see. */
function spelledCwd({ env, cwd }: CliContext): string {
  const spelled = env['PWD'] ?? ''
  try {
    return spelled.startsWith('/') && realpathSync(spelled) === realpathSync(cwd) ? spelled : cwd
  } catch (error) {
    if (error instanceof Error && 'errno' in error) return cwd // PWD is stale
    throw error
  }
}

/** `HEAD` when it is detached, `unknown` without a commit or repository, as git's own abbreviation ends up. */
function branchOf(cwd: string): string {
  const repository = discoverRepository(cwd)
  const head = repository.kind === 'tree' ? readHead(repository) : undefined
  if (head?.kind !== 'commit') return 'unknown'
  const branch = head.ref?.replace(/^refs\/heads\//, '').replaceAll('/', '-') ?? 'HEAD'
  return plainSlug(branch) ?? 'unknown'
}
