/** Every program with its commands and options, and nothing else: an action imports the file that does the work. */

import type { Program, ProgramName } from './command.ts'
import { CONFIG_PROGRAM } from './config-program.ts'
import { CONTRACT_PROGRAM } from './contract/program.ts'

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
        examples: ['gstack-skill-gates hook-timeout'],
        run: async (call) => (await import('./settings.ts')).hookTimeout(call),
      },
      {
        name: 'report',
        summary: 'Count what the gates decided in each session.',
        options: [
          { flag: '--session <id>', summary: 'Only this session' },
          { flag: '--since <when>', summary: 'Only sessions with a decision since: 12h, 2d, 1w, 2026-01-31' },
          { flag: '--expect <word>', summary: 'armed: exit with 2 when a session never armed a gate' },
          { flag: '--html <file>', summary: 'Write a page with timelines and the kept copies as diffs' },
          { flag: '--json', summary: 'As JSON' },
        ],
        examples: [
          'gstack-skill-gates report --since 2d',
          'gstack-skill-gates report --html report.html',
          'gstack-skill-gates report --session 5f0c2f9e-0a55-4b39-9f7c-0d2a1f7b8f11 --expect armed --json',
        ],
        exits: {
          2: 'with --expect armed: a session never armed a gate (GATE_NOT_ARMED)',
          3: 'a session has an error or an unchecked call (GATE_ERRORED)',
        },
        run: async (call) => (await import('./report/report.ts')).report(call),
      },
      {
        name: 'diagnose',
        summary: 'Show what the next check of a session would do, and change nothing.',
        options: [
          {
            flag: '--session <id>',
            summary: 'This session, not the newest armed one of the repository here',
          },
          { flag: '--diff', summary: 'With unified diffs' },
          { flag: '--json', summary: 'As JSON' },
        ],
        examples: [
          'gstack-skill-gates diagnose --diff',
          'gstack-skill-gates diagnose --json || test $? -eq 4',
        ],
        failed: 3,
        exits: {
          3: 'a root cannot be judged',
          4: 'something would be put back or undone, or should be and cannot',
        },
        run: async (call) => (await import('./diagnose/diagnose.ts')).diagnose(call),
      },
      {
        name: 'copies',
        args: '[action] [name]',
        summary: 'List what was replaced or undone; copies restore NAME writes one back.',
        options: [
          { flag: '--session <id>', summary: 'Only of this session' },
          { flag: '--json', summary: 'The list as JSON' },
          { flag: '--to <path>', summary: 'Restore to this path, not to where it was' },
          { flag: '--force', summary: 'Replace what is there, and keep what it held' },
        ],
        examples: [
          'gstack-skill-gates copies',
          'gstack-skill-gates copies restore 20260105T100000Z-5e0-f6a7b-1-cart.js --to /tmp/cart.js',
        ],
        failed: 3,
        run: async (call) => (await import('./copies/copies.ts')).copies(call),
      },
      {
        name: 'clean',
        summary: 'Remove kept copies and sessions that are over; they may hold secrets.',
        options: [
          { flag: '--session <id>', summary: 'Of this session; of an armed one only its kept copies' },
          { flag: '--older-than <days>', summary: 'What is older than so many days; 0: everything' },
        ],
        examples: ['gstack-skill-gates clean --older-than 7'],
        failed: 3,
        exits: { 3: 'a hook of a session is at work' },
        run: async (call) => (await import('./clean.ts')).clean(call),
      },
      {
        name: 'release',
        summary: 'Let go of what the gates hold of a session; for a person, outside of Claude Code.',
        options: [{ flag: '--session <id>', summary: 'The session' }],
        examples: ['gstack-skill-gates release --session 5f0c2f9e-0a55-4b39-9f7c-0d2a1f7b8f11'],
        failed: 3,
        exits: { 2: 'no gate holds the session (GATE_NOT_ARMED)' },
        run: async (call) => (await import('./release.ts')).release(call),
      },
      {
        name: 'demo',
        summary: 'Play the /investigate gate on a repository in a temporary folder.',
        options: [{ flag: '--keep', summary: 'Leave the folder, to look at it' }],
        examples: ['gstack-skill-gates demo', 'gstack-skill-gates demo --keep'],
        exits: { 1: 'the gate did not do its job' },
        run: async (call) => (await import('./demo/demo.ts')).demo(call),
      },
      {
        name: 'setup',
        summary: 'Save switches, and register the hooks that are on in settings.json; ./setup calls it.',
        options: [
          { flag: '--investigate-gate [on|off]', summary: 'The /investigate gate' },
          { flag: '--no-investigate-gate', summary: 'The same as =off' },
          { flag: '--ceo-review-gate [on|off]', summary: 'The /plan-ceo-review gate' },
          { flag: '--no-ceo-review-gate', summary: 'The same as =off' },
          { flag: '--skill-contracts [on|off]', summary: 'Skill contracts' },
          { flag: '--no-skill-contracts', summary: 'The same as =off' },
          { flag: '--skill-routing [on|off]', summary: 'Skill routing' },
          { flag: '--no-skill-routing', summary: 'The same as =off' },
          { flag: '--no-team', summary: 'Register nothing, whatever the switches say' },
          { flag: '--dry-run', summary: 'Print what would change in settings.json' },
          { flag: '--uninstall', summary: 'Remove registrations and links; configuration and records stay' },
        ],
        examples: [
          'gstack-skill-gates setup --investigate-gate --skill-routing',
          'gstack-skill-gates setup --no-team --dry-run',
        ],
        run: async (call) => (await import('./setup.ts')).setup(call),
      },
      {
        name: 'doctor',
        summary: 'Whether the hooks that are on would work, and what to do if not.',
        options: [{ flag: '--json', summary: 'The same as JSON' }],
        examples: ['gstack-skill-gates doctor'],
        exits: { 1: 'there is something to do' },
        run: async (call) => (await import('./doctor/doctor.ts')).doctor(call),
      },
      {
        name: 'completions',
        args: '<shell>',
        summary: 'Print completions of all programs for bash, zsh or fish.',
        examples: [
          'source <(gstack-skill-gates completions bash)',
          'gstack-skill-gates completions zsh > ~/.zfunc/_gstack-skill-gates',
          'gstack-skill-gates completions fish > ~/.config/fish/completions/gstack-skill-gates.fish',
        ],
        run: async (call) => (await import('./completions.ts')).completions(call, Object.values(PROGRAMS)),
      },
    ],
  },
  'gstack-skill-route': {
    name: 'gstack-skill-route',
    summary: 'Which skill a prompt would be sent to.',
    usageCode: 'SKILL_ROUTE_USAGE',
    commands: [
      {
        name: '',
        summary: 'Which skill a prompt would be sent to, with the switch on or off.',
        options: [
          { flag: '--explain <prompt>', summary: 'Score this prompt; nothing is injected' },
          { flag: '--threshold <n>', summary: 'Use another cutoff than 0.66' },
          { flag: '--json', summary: 'The same as JSON' },
          { flag: '--default <switch>', summary: "Print a switch's default" },
        ],
        examples: [
          'gstack-skill-route --explain "this test fails, fix it"',
          'gstack-skill-route --default skill_routing',
        ],
        run: async (call) => (await import('./route.ts')).skillRoute(call),
      },
    ],
  },
  'gstack-skill-contract': CONTRACT_PROGRAM,
  'gstack-config': CONFIG_PROGRAM,
  'gstack-slug': {
    name: 'gstack-slug',
    summary: 'The names of this project and branch under the state root.',
    usageCode: 'SKILL_GATES_USAGE',
    commands: [
      {
        name: '',
        summary: "Print SLUG and BRANCH of the current directory, for a shell's eval.",
        examples: ['eval "$(gstack-slug)"', 'GSTACK_PROJECT_SLUG=acme-shop gstack-slug'],
        run: async (call) => (await import('./slug.ts')).printSlug(call),
      },
    ],
  },
  'gstack-session-kind': {
    name: 'gstack-session-kind',
    summary: 'Whether a person answers in this session.',
    usageCode: 'SKILL_GATES_USAGE',
    commands: [
      {
        name: '',
        summary: 'Print interactive, headless or unattended.',
        examples: ['gstack-session-kind'],
        run: async (call) => (await import('./session-kind.ts')).printSessionKind(call),
      },
    ],
  },
}
