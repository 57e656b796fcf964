/** What a scripted model says and calls. */

import type { Block } from './model.ts'

const call = (tool: string, input: Readonly<Record<string, unknown>>): Block => ({
  kind: 'call',
  tool,
  input,
})

export const says = (text: string): Block => ({ kind: 'text', text })

export const pauses = (ms: number): Block => ({ kind: 'pause', ms })

export const loads = (skill: string): Block => call('Skill', { skill })

export const runs = (command: string): Block => call('Bash', { command })

export const reads = (file: string): Block => call('Read', { file_path: file })

export const writes = (file: string, content: string): Block => call('Write', { file_path: file, content })

/** Replaces text that stands in the file once. */
export const edits = (file: string, before: string, after: string): Block =>
  call('Edit', { file_path: file, old_string: before, new_string: after })

/** A subagent that the client waits for. Its prompt is the key of its part of the script. */
export const dispatches = (prompt: string, type: 'general-purpose' | 'Explore'): Block =>
  call('Agent', { description: prompt, prompt, subagent_type: type, run_in_background: false })
