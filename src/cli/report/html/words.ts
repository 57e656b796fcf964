/** Markers in the words of a person. */

import { RELEASED_BY_PERSON } from '../../../core/record.ts'
import type { TimelineEvent } from '../timeline.ts'

export interface EventWords {
  readonly title: string
  readonly detail: string
}

/** Title and detail of one line of the timeline. */
export function wordsOf({ event, fields }: TimelineEvent): EventWords {
  const field = (key: string): string | undefined => fields.find(([name]) => name === key)?.[1]
  switch (event) {
    case 'fired':
      return {
        title: 'Armed',
        detail: sentence([
          field('on') && `at ${field('on') ?? ''}`,
          field('root') && `in ${field('root') ?? ''}`,
        ]),
      }
    case 'blocked':
      return { title: BLOCKED[field('via') ?? ''] ?? 'Blocked', detail: files(field('files')) }
    case 'released':
      return releasedWords(field('file'), field('cause'), after(field('blocked')))
    case 'exhausted':
      return { title: 'Gave up: the stop went through', detail: after(field('blocked')) }
    case 'observed':
      return PINNED_ANEW[field('why') ?? ''] ?? { title: 'Left alone', detail: files(field('files')) }
    case 'skipped':
      return { title: 'Did not arm', detail: field('reason') ?? '' }
    case 'error':
      return { title: field('code') ?? 'Error', detail: field('why') ?? '' }
    case 'off':
      return { title: 'Switched off', detail: 'while a run was held' }
  }
}

function releasedWords(file: string | undefined, cause: string | undefined, blocks: string): EventWords {
  if (file !== undefined) return { title: `Released by ${file}`, detail: blocks }
  if (cause === RELEASED_BY_PERSON) return { title: 'Released by a person', detail: blocks }
  return {
    title: 'Released: a root cause was stated',
    detail: sentence([blocks, cause && `cause ${cause}`]),
  }
}

const PINNED_ANEW: Readonly<Record<string, EventWords | undefined>> = {
  restarted: { title: 'The client was restarted', detail: 'pinned anew, nothing put back' },
  'other-version': { title: 'Another version had armed', detail: 'pinned anew, nothing put back' },
}

const BLOCKED: Readonly<Record<string, string>> = {
  edit: 'Blocked an edit',
  bash: 'Blocked a Bash call',
  stop: 'Held the stop',
}

const files = (count: string | undefined): string =>
  count === undefined ? '' : count === '1' ? '1 file' : `${count} files`

const after = (blocked: string | undefined): string =>
  blocked === undefined ? '' : blocked === '1' ? 'after 1 block' : `after ${blocked} blocks`

const sentence = (parts: readonly (string | undefined)[]): string => parts.filter(Boolean).join(', ')
