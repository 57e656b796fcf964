/** Every command and option of every program, and nothing else: an action imports the file that does the work. */

import type { Program, ProgramName } from './command.ts'

export const PROGRAMS: Readonly<Record<ProgramName, Program>> = {
  'gstack-skill-gates': {
    name: 'gstack-skill-gates',
    summary: 'Gates that make one rule of a gstack skill hold.',
    usageCode: 'SKILL_GATES_USAGE',
    commands: [
      {
        name: 'settings',
        summary: 'Print the hooks and env of one or both gates, for claude --settings.',
        options: [
          { flag: '--investigate', summary: 'The /investigate gate' },
          { flag: '--ceo-review', summary: 'The /plan-ceo-review gate' },
        ],
        examples: [
          'gstack-skill-gates settings --investigate --ceo-review > gates.json',
          'claude -p "<task>" --settings gates.json',
        ],
        run: async (call) => (await import('./settings.ts')).settings(call),
      },
      {
        name: 'hook-timeout',
        summary: 'Print the seconds that every registration must give a gate.',
        run: async (call) => (await import('./settings.ts')).hookTimeout(call),
      },
    ],
  },
  'gstack-skill-route': {
    name: 'gstack-skill-route',
    summary: 'Which skill a prompt would be sent to.',
    usageCode: 'SKILL_ROUTE_USAGE',
    commands: [],
  },
  'gstack-skill-contract': {
    name: 'gstack-skill-contract',
    summary: 'Whether a session left what its skill promises.',
    usageCode: 'SKILL_CONTRACT_USAGE',
    commands: [],
  },
  'gstack-config': {
    name: 'gstack-config',
    summary: 'Read and write config.yaml under the state root.',
    usageCode: 'SKILL_GATES_USAGE',
    commands: [],
  },
  'gstack-slug': {
    name: 'gstack-slug',
    summary: 'The names of this project and branch under the state root.',
    usageCode: 'SKILL_GATES_USAGE',
    commands: [],
  },
  'gstack-session-kind': {
    name: 'gstack-session-kind',
    summary: 'Whether a person answers in this session.',
    usageCode: 'SKILL_GATES_USAGE',
    commands: [],
  },
}
