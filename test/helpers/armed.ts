import type { Repo } from './repo.ts'
import type { LoadVia } from './session-records.ts'
import type { Session } from './session.ts'
import type { World } from './world.ts'

export interface Armed {
  readonly repo: Repo
  readonly session: Session
}

/** A session that loaded /investigate in a repository of that shape, and whose first call armed the gate. */
export async function armed(world: World, shape = 'plain', via: LoadVia = 'skill-tool'): Promise<Armed> {
  return armIn(world, world.repo(shape), via)
}

export async function armIn(world: World, repo: Repo, via: LoadVia = 'skill-tool'): Promise<Armed> {
  const session = world.session({ cwd: repo.folder }).prompts('The total is wrong.').loads('investigate', via)
  const answer = await session.arm()
  if (!answer.markers.some(({ event }) => event === 'fired'))
    throw new Error(`not armed: ${answer.stdout}${answer.stderr}`)
  return { repo, session }
}

/** What a debugging session says once it knows. */
export const CAUSE = 'price() multiplies cents by count twice, src/price.js:2'
