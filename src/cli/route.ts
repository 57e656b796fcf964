/** `gstack-skill-route`: what the routing hook would do with a prompt, without doing it. */

import type { Env } from '../core/env.ts'
import { GateError } from '../core/errors.ts'
import { resolveSwitch, SWITCH_DEFAULT, SWITCH_NAMES, type ResolvedSwitch } from '../core/switches.ts'
import {
  decideRoute,
  DEFAULT_THRESHOLD,
  type NoRouteReason,
  type RouteDecision,
} from '../policy/route/decide.ts'
import { hintFor, parseHintKind } from '../policy/route/hint.ts'
import { readTriggers, type BrokenSkill } from '../policy/route/triggers.ts'
import { readConfigValue } from '../store/config-file.ts'
import { claudeConfigDir, stateRootFrom } from '../store/paths.ts'
import { describeSkill, readInstalledSkills, skillCacheFile, skillsDirOf } from '../store/skills.ts'
import type { CommandCall } from './command.ts'

const REASONS: Readonly<Record<NoRouteReason, string>> = {
  empty: 'the prompt has no words',
  slash: 'the prompt starts with /',
  'task-notification': 'the prompt is a task notification',
  'too-long': 'the prompt is over 8,000 characters',
  'no-match': 'no trigger of a skill that routes reaches the threshold',
}

interface Explanation {
  readonly routing: ResolvedSwitch
  readonly threshold: number
  readonly skillsDir: string
  readonly skillCount: number
  readonly broken: readonly BrokenSkill[]
  readonly decision: RouteDecision
  readonly hint: string | undefined
}

export async function skillRoute({ context, options }: CommandCall): Promise<number> {
  const { explain: prompt, default: switchName } = options
  if (typeof switchName === 'string') {
    context.stdout(`${defaultOf(switchName)}\n`)
    return 0
  }
  if (typeof prompt !== 'string')
    throw new GateError('SKILL_ROUTE_USAGE', 'name a prompt with --explain, or a switch with --default')

  const explanation = await explain(prompt, thresholdFrom(options['threshold']), context)
  context.stdout(
    options['json'] === true ? `${JSON.stringify(asJson(explanation), undefined, 2)}\n` : asText(explanation),
  )
  return 0
}

function defaultOf(text: string): string {
  const name = SWITCH_NAMES.find((known) => known === text)
  if (name === undefined)
    throw new GateError(
      'SKILL_ROUTE_USAGE',
      `there is no switch ${text}; there are ${SWITCH_NAMES.join(', ')}`,
    )
  return SWITCH_DEFAULT[name]
}

function thresholdFrom(text: string | boolean | undefined): number {
  if (text === undefined) return DEFAULT_THRESHOLD
  const threshold = typeof text === 'string' && /^\d*\.?\d+$/.test(text) ? Number(text) : NaN
  if (threshold > 0 && threshold <= 1) return threshold
  throw new GateError(
    'SKILL_ROUTE_USAGE',
    `--threshold takes a number above 0 and up to 1, not ${String(text)}`,
  )
}

async function explain(
  prompt: string,
  threshold: number,
  { env, home }: { env: Env; home: string },
): Promise<Explanation> {
  const [claudeDir, stateRoot] = [claudeConfigDir(env, home), stateRootFrom(env, home)]
  const skills = await readInstalledSkills(claudeDir, skillCacheFile(stateRoot))
  const { triggers, broken } = readTriggers(skills)
  const decision = decideRoute(prompt, triggers, threshold)
  const { skill } = decision.route
  return {
    routing: resolveSwitch('skill_routing', env, () => readConfigValue(stateRoot, 'skill_routing')),
    threshold,
    skillsDir: skillsDirOf(claudeDir),
    skillCount: skills.length,
    broken,
    decision,
    hint:
      skill === undefined
        ? undefined
        : hintFor(parseHintKind(env['GSTACK_SKILL_ROUTE_HINT']), describeSkill(skills, skill)),
  }
}

function asText(explanation: Explanation): string {
  const { routing, decision, hint } = explanation
  const { route, candidates } = decision
  return [
    `switch: skill_routing ${routing.value} (${routing.source})`,
    `threshold: ${String(explanation.threshold)}`,
    `skills: ${String(explanation.skillCount)} scanned in ${explanation.skillsDir}`,
    ...explanation.broken.map(({ file, why }) => `broken: ${file}: ${why}`),
    `candidates:${candidates.length === 0 ? ' none' : ''}`,
    ...candidates.map(
      ({ score, skill, trigger, words }) =>
        `  ${score.toFixed(2)}  /${skill}  "${trigger}" (${String(words)} ${words === 1 ? 'word' : 'words'})`,
    ),
    route.skill === undefined ? `route: none (${REASONS[route.reason]})` : `route: /${route.skill}`,
    ...(hint === undefined ? [] : [`hint: ${hint}`]),
    '',
  ].join('\n')
}

function asJson({ routing, threshold, skillsDir, skillCount, broken, decision, hint }: Explanation) {
  const { route, candidates } = decision
  return {
    switch: { name: 'skill_routing', ...routing },
    threshold,
    skills: skillCount,
    skillsDir,
    broken,
    candidates: candidates.map(({ score, ...rest }) => ({ score: Number(score.toFixed(2)), ...rest })),
    route: route.skill ?? null,
    ...(route.skill === undefined ? { reason: route.reason } : {}),
    hint: hint ?? null,
  }
}
