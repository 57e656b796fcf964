/**
 * What counts as the load of a skill: the Skill tool, a typed `/name`, or a Read of an installed SKILL.md. Which loads
 * start a run is `facts.ts`.
 */

/** `/investigate`, `gstack-investigate` and `gstack:investigate` are all `investigate`. */
export function plainSkillName(name: string): string {
  const bare = name.trim().replace(/^\//, '')
  const unscoped = bare.slice(bare.lastIndexOf(':') + 1)
  return unscoped.replace(/^gstack-(?=.)/, '')
}

/**
 * Reads a typed command from a prompt that consists of the client's command tags and of nothing else; the arguments may
 * hold anything. Tags inside a longer prompt (a pasted transcript, a code block) are text.
 */
export function typedSkill(prompt: string): string | undefined {
  const tags =
    /^\s*((?:<command-(?:message|name)>[^<]*<\/command-(?:message|name)>\s*)+)(?:<command-args>[\s\S]*<\/command-args>\s*)?$/.exec(
      prompt,
    )?.[1]
  const name =
    tags === undefined ? undefined : /<command-name>\s*\/?([^<]*?)\s*<\/command-name>/.exec(tags)?.[1]
  return name === undefined || name === '' ? undefined : plainSkillName(name)
}

/** The skill that a Skill call names. */
export function skillOfCall(input: Readonly<Record<string, unknown>>): string | undefined {
  const name = input['skill'] ?? input['command']
  return typeof name === 'string' && name.trim() !== '' ? plainSkillName(name) : undefined
}

/**
 * The skill whose SKILL.md a path names, in the three places where gstack installs one: `skills/<name>/`,
 * `skills/gstack/<name>/` and, as a rendered copy, `render/claude/<name>/`. A checkout elsewhere is not installed.
 */
export function skillOfPath(path: string): string | undefined {
  const parts = path.split(/[\\/]/).filter((part) => part !== '' && part !== '.')
  if (parts.includes('..')) return undefined
  const [middle, parent, name, file] = [parts.at(-4), parts.at(-3), parts.at(-2), parts.at(-1)]
  if (file !== 'SKILL.md' || name === undefined) return undefined
  const isInstalled =
    parent === 'skills' ||
    (middle === 'skills' && parent === 'gstack') ||
    (middle === 'render' && parent === 'claude')
  return isInstalled ? plainSkillName(name) : undefined
}
