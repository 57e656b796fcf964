import type { Program } from './command.ts'

export const CONFIG_PROGRAM: Program = {
  name: 'gstack-config',
  summary: 'Read and write config.yaml under the state root.',
  usageCode: 'SKILL_GATES_USAGE',
  commands: [
    {
      name: 'get',
      args: '<key>',
      summary: "Print a value or a switch's default, without a newline.",
      examples: ['gstack-config get skill_routing'],
      exits: { 1: 'there is neither value nor default' },
      run: async (call) => (await import('./config.ts')).getConfig(call),
    },
    {
      name: 'set',
      args: '<key> <value>',
      summary: 'Set a value; other lines of the file stay as they are.',
      examples: ['gstack-config set skill_routing on', 'gstack-config set investigate_gate off'],
      run: async (call) => (await import('./config.ts')).setConfig(call),
    },
    {
      name: 'has',
      args: '<key>',
      summary: 'Whether the file has the key, as an exit code.',
      examples: ['gstack-config has investigate_gate && echo set'],
      exits: { 1: 'the file has not the key' },
      run: async (call) => (await import('./config.ts')).hasConfig(call),
    },
    {
      name: 'list',
      summary: 'Print the file and the value of every switch.',
      examples: ['gstack-config list'],
      run: async (call) => (await import('./config.ts')).listConfig(call),
    },
    {
      name: 'defaults',
      summary: 'Print the default of every switch.',
      examples: ['gstack-config defaults'],
      run: async (call) => (await import('./config.ts')).configDefaults(call),
    },
  ],
}
