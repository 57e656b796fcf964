/** What the three commands share: the first line of an answer, its JSON, its exit code. */

import { ERROR_CODES, GateError, messageOf, type GateErrorCode } from '../../core/errors.ts'
import type { CommandCall } from '../command.ts'

export type AnswerCode = 'SKILL_CONTRACT_MET' | (GateErrorCode & `SKILL_CONTRACT_${string}`)

export interface Answer {
  readonly code: AnswerCode
  /** Whole lines; the first starts with the code and the skill. */
  readonly text: string
  /** Fields behind `code` and `exit`. */
  readonly json: Readonly<Record<string, unknown>>
}

export const exitOf = (code: AnswerCode): number =>
  code === 'SKILL_CONTRACT_MET' ? 0 : ERROR_CODES[code].exit

/**
 * Prints an answer, or the error that stood in its way: text on standard error, JSON always on standard output.
 *
 * @param subject the skill, or what stands in its place
 * @returns the exit code
 */
export async function printAnswer(
  call: CommandCall,
  subject: string,
  work: () => Answer | Promise<Answer>,
): Promise<number> {
  const { context } = call
  const isJson = call.options['json'] === true
  try {
    const { code, text, json } = await work()
    if (isJson) context.stdout(`${JSON.stringify({ code, exit: exitOf(code), ...json })}\n`)
    else context.stdout(text)
    return exitOf(code)
  } catch (error) {
    if (!(error instanceof GateError) || !isContractCode(error.code)) throw error
    const { code } = error
    const message = messageOf(error)
    if (isJson) context.stdout(`${JSON.stringify({ code, exit: exitOf(code), skill: subject, message })}\n`)
    else context.stderr(`${headOf(code, subject)}: ${message}\n${ERROR_CODES[code].fix}\n`)
    return exitOf(code)
  }
}

export const headOf = (code: AnswerCode, subject: string): string => [code, subject].filter(Boolean).join(' ')

const isContractCode = (code: GateErrorCode): code is GateErrorCode & `SKILL_CONTRACT_${string}` =>
  code.startsWith('SKILL_CONTRACT_')

/** A text option; undefined when it is missing or empty. */
export function textOption(call: CommandCall, name: string): string | undefined {
  const value = call.options[name]
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}
