import { GateError } from '../../core/errors.ts'
import { isReason } from '../../policy/contract/waivers.ts'
import { plainSkillName } from '../../transcript/skill-load.ts'
import type { CommandCall } from '../command.ts'
import { headOf, printAnswer, textOption, type Answer } from './answer.ts'
import { requireContract } from './find-contract.ts'

/** Acknowledges a waiver and keeps nothing: `check` finds this call in the transcript. */
export async function waive(call: CommandCall): Promise<number> {
  const skill = plainSkillName(textOption(call, 'skill') ?? '')
  return await printAnswer(call, skill, () => acknowledge(call, skill))
}

async function acknowledge(call: CommandCall, skill: string): Promise<Answer> {
  const [item] = call.args
  const reason = textOption(call, 'reason')?.trim()
  if (item === undefined || !/^[a-z0-9._-]+$/.test(item))
    throw new GateError('SKILL_CONTRACT_USAGE', 'waive needs the id of one item, such as repro-after-fix')
  if (!isReason(reason))
    throw new GateError('SKILL_CONTRACT_USAGE', 'waive needs --reason "<why>", in words of this session')
  if (skill !== '') {
    const { contract } = await requireContract(skill, undefined, call.context)
    const ids = contract.items.map(({ id }) => id)
    if (!ids.includes(item))
      throw new GateError(
        'SKILL_CONTRACT_USAGE',
        `the contract has no item ${item}; it has ${ids.join(', ')}`,
      )
  }

  const code = 'SKILL_CONTRACT_MET'
  return {
    code,
    text: `${headOf(code, skill)}: ${item} is waived for this session (${reason}); it counts as a miss for follow.\n`,
    json: { ...(skill === '' ? {} : { skill }), item, reason },
  }
}
