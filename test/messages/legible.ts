import type { HookAnswer } from '../helpers/run-hook.ts'
import { test as base, type World } from '../helpers/world.ts'

/** Texts do not depend on time, so a busy machine gets as much as a hook may have. */
export const test = base.extend<{ world: World }>({
  world: async ({ world }, use) => {
    world.env['GSTACK_SKILL_GATE_DEADLINE_MS'] = '20000'
    await use(world)
  },
})

/** Text with what differs from run to run replaced by what it is; `<repo>` is the repository whose folder is given. */
export function legible(world: World, text: string, repo?: string): string {
  const stands = (part: string | undefined, name: string) => (said: string) =>
    part === undefined ? said : said.replaceAll(part, name)
  return [
    stands(repo, '<repo>'),
    stands(world.stateRoot, '<state>'),
    stands(world.configDir, '<config>'),
    stands(world.folder, '<world>'),
    (said: string) => said.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<session>'),
    (said: string) => said.replace(/\d{8}T\d{6}Z(-[0-9a-z]+){3}-/g, '<time>-'),
    (said: string) => said.replace(/files-\d{8}T\d{9}Z-\d+/g, 'files-<time>'),
    (said: string) => said.replace(/\b[0-9a-f]{40}\b/g, '<commit>'),
    (said: string) => said.replace(/\b[0-9a-f]{64}\b/g, '<sha256>'),
    (said: string) => said.replace(/\d+ (s|bytes)\b/g, '<n> $1'),
    (said: string) => said.replace(/%20\d+%20s\b/g, '%20<n>%20s'),
  ].reduce((said, replace) => replace(said), text)
}

/** The lines of a first block from here on are the rule; one test has them in full. */
const RULE = /^Since \/investigate was loaded[\s\S]*just make the call again\.$/m

/** Everything that one hook call says, under the name of who reads it, with `<the rule>` in place of its lines. */
export function saidBy(world: World, { reason, systemMessage, stderr }: HookAnswer, repo?: string): string {
  const parts = [
    ['model', reason],
    ['person', systemMessage],
    ['stderr', stderr.trimEnd()],
  ] as const
  return parts
    .filter(([, text]) => text !== '')
    .map(([reader, text]) => `${reader}:\n${legible(world, text, repo)}`)
    .join('\n\n')
    .replace(RULE, '<the rule>')
}
