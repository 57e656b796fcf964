import type { Program } from '../command.ts'

/** Not 1: that says that something is missing. */
const FAILED = 3

const NO_CONTRACT = { 5: 'no installed skill of that name declares a valid contract' } as const

export const CONTRACT_PROGRAM: Program = {
  name: 'gstack-skill-contract',
  summary: 'Whether a session left what its skill promises.',
  usageCode: 'SKILL_CONTRACT_USAGE',
  commands: [
    {
      name: 'check',
      summary: 'Check the last run of a skill in a transcript against its contract.',
      options: [
        { flag: '--transcript <path>', summary: 'The JSONL that Claude Code wrote' },
        { flag: '--skill <name>', summary: 'The skill whose run is checked' },
        { flag: '--skill-file <path>', summary: 'Take the contract from this SKILL.md' },
        { flag: '--json', summary: 'As JSON' },
      ],
      examples: ['gstack-skill-contract check --transcript session.jsonl --skill investigate'],
      failed: FAILED,
      exits: {
        1: 'an item is missing',
        4: 'the file is no transcript that is understood',
        ...NO_CONTRACT,
        6: 'the transcript never loads the skill',
      },
      run: async (call) => (await import('./check.ts')).check(call),
    },
    {
      name: 'report',
      summary: 'List misses by skill and item, then each missed run.',
      options: [
        { flag: '--session <id>', summary: 'Only this session' },
        { flag: '--json', summary: 'As JSON' },
      ],
      examples: ['gstack-skill-contract report'],
      failed: FAILED,
      run: async (call) => (await import('./report.ts')).report(call),
    },
    {
      name: 'waive',
      args: '[item]',
      summary: 'Say why an item does not apply to this session.',
      options: [
        { flag: '--reason <why>', summary: 'In words of this session' },
        { flag: '--skill <name>', summary: 'The skill whose item it is' },
        { flag: '--json', summary: 'As JSON' },
      ],
      examples: ['gstack-skill-contract waive repro-after-fix --reason "only documentation changed"'],
      failed: FAILED,
      exits: NO_CONTRACT,
      run: async (call) => (await import('./waive.ts')).waive(call),
    },
  ],
}
