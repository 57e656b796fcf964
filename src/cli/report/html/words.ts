/** Markers in the words of a person. */

import type { TimelineEvent } from '../timeline.ts'

export interface EventWords {
  readonly title: string
  readonly detail: string
}

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
      return field('file') === undefined
        ? {
            title: 'Released: a root cause was stated',
            detail: sentence([after(field('blocked')), field('cause') && `cause ${field('cause') ?? ''}`]),
          }
        : { title: `Released by ${field('file') ?? ''}`, detail: after(field('blocked')) }
    case 'exhausted':
      return { title: 'Gave up: the stop went through', detail: after(field('blocked')) }
    case 'observed':
      return field('why') === 'restarted'
        ? { title: 'The client was restarted', detail: 'pinned anew, nothing put back' }
        : { title: 'Left alone', detail: files(field('files')) }
    case 'skipped':
      return { title: 'Did not arm', detail: field('reason') ?? '' }
    case 'error':
      return { title: field('code') ?? 'Error', detail: field('why') ?? '' }
    case 'off':
      return { title: 'Switched off', detail: 'while a run was held' }
  }
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
