/** Runs of /investigate under its contract, as their transcripts tell them, and what a record keeps of them. */

import { story } from '../../helpers/contract-story.ts'
import { recordOf } from '../../helpers/contract-world.ts'

export const start = () => story().prompts('The login fails.').loads('investigate')
export const unmet = () => start().edits('src/auth.ts').says('Fixed: the null check was missing.')
export const blockedRun = () =>
  unmet().record({
    type: 'user',
    isMeta: true,
    message: { role: 'user', content: 'Stop hook feedback:\nSKILL_CONTRACT_UNMET' },
  })

export const outcomes = (world: Parameters<typeof recordOf>[0], session?: string) =>
  recordOf(world, session).runs.map(({ skill, outcome }) => `${skill} ${outcome}`)
