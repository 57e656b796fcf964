/** The line of context that a routed prompt gets. */

export type HintKind = 'name' | 'step' | 'contract'

export interface HintSubject {
  readonly skill: string
  /** Text of SKILL.md behind its frontmatter; needed for `step` only. */
  readonly body?: string
  /** The `contract` field of its frontmatter, unchecked; needed for `contract` only. */
  readonly contract?: unknown
}

const LONGEST_DETAIL_CHARS = 200

/** Reads `GSTACK_SKILL_ROUTE_HINT`; anything unknown is the default, `name`. */
export const parseHintKind = (text: string | undefined): HintKind =>
  text === 'step' || text === 'contract' ? text : 'name'

/** A skill without a first step or a contract gets the plain wording. */
export function hintFor(kind: HintKind, subject: HintSubject): string {
  return [
    'gstack skill routing (UserPromptSubmit hook; off switch: gstack-config set skill_routing off):',
    `this request fits /${subject.skill}. Run /${subject.skill} with the Skill tool before you start.`,
    ...detailOf(kind, subject),
    'Tell the user in one sentence that gstack routed this request.',
  ].join(' ')
}

function detailOf(kind: HintKind, { body, contract }: HintSubject): string[] {
  switch (kind) {
    case 'name':
      return []
    case 'step': {
      const step = firstStepOf(body ?? '')
      return step === undefined ? [] : [`Its first step: ${step}.`]
    }
    case 'contract': {
      const outputs = contractOutputs(contract)
      return outputs.length === 0 ? [] : [`It is done when these exist: ${cut(outputs.join('; '))}.`]
    }
  }
}

/** The first heading that says it is step or phase 0 or 1, without its number. */
function firstStepOf(body: string): string | undefined {
  const [, title] =
    /^#{1,4}[ \t]*(?:step|phase)[ \t]+[01](?:\.0)?[ \t]*[:.\u2013\u2014-][ \t]*(\S.*)$/im.exec(body) ?? []
  return title === undefined ? undefined : cut(plain(title))
}

function contractOutputs(contract: unknown): string[] {
  if (!isObject(contract) || !Array.isArray(contract['items'])) return []
  return contract['items']
    .filter(isObject)
    .map((item) => item['summary'] ?? item['id'])
    .filter((text) => typeof text === 'string')
    .map(plain)
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** One line without Markdown marks. */
const plain = (text: string): string =>
  text
    .replace(/[*`]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[.:]+$/, '')

const cut = (text: string): string =>
  [...text].length <= LONGEST_DETAIL_CHARS ? text : `${[...text].slice(0, LONGEST_DETAIL_CHARS).join('')}…`
