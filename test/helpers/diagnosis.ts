import { join } from 'node:path'
import { expect } from 'vitest'
import type { Armed } from './armed.ts'
import { PACKAGE, type Ran, type World } from './world.ts'

/** What `diagnose --json` answers. */
export interface Diagnosis {
  readonly exitCode: number | undefined
  readonly session: string | null
  readonly state: string
  readonly chosen?: string
  readonly would_change: boolean
  readonly roots: readonly {
    readonly root: string
    readonly head: Readonly<
      Record<'armed' | 'baseline' | 'now', { readonly oid: string; readonly ref?: string }>
    >
    readonly refs: readonly {
      readonly name: string
      readonly then: string | null
      readonly now: string | null
    }[]
    readonly stash: { readonly gone: readonly string[]; readonly gained: readonly string[] }
    readonly commits: readonly {
      readonly plan: string
      readonly ref: string
      readonly to?: string
      readonly commits: readonly string[]
    }[]
    readonly paths: readonly {
      readonly path: string
      readonly path_base64?: string
      readonly verdict: string
      readonly changed: readonly string[]
      readonly why?: string
      readonly exclusion?: string
      readonly because?: string
      readonly commit?: string
      readonly replay?: string
      readonly kept: readonly string[]
      readonly copies: readonly string[]
      readonly diff?: string
    }[]
    readonly folded_before: readonly {
      readonly path: string
      readonly copies: readonly string[]
      readonly why: string
    }[]
  }[]
}

export const diagnose = (world: World, { repo }: Pick<Armed, 'repo'>, ...args: string[]): Promise<Ran> =>
  world.run(join(PACKAGE, 'bin/gstack-skill-gates'), ['diagnose', ...args], { cwd: repo.folder })

export async function diagnosis(
  world: World,
  armed: Pick<Armed, 'repo'>,
  ...args: string[]
): Promise<Diagnosis> {
  const ran = await diagnose(world, armed, '--json', ...args)
  expect(ran.stderr).toBe('')
  return { ...(JSON.parse(ran.stdout) as Omit<Diagnosis, 'exitCode'>), exitCode: ran.exitCode }
}
