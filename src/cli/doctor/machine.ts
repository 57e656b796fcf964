/** What the hooks stand on: the state root, and the Node that runs them with the addon and nodegit. */

import { accessSync, constants, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { delimiter, dirname, isAbsolute, join, relative } from 'node:path'
import { isMissing, isSystemError, messageOf } from '../../core/errors.ts'
import { quoteForShell } from '../../core/registration.ts'
import { STATE_ROOT_NAMES } from '../../core/state-names.ts'
import { stateRootFrom } from '../../store/paths.ts'
import type { CliContext } from '../command.ts'
import { runShell } from '../shell.ts'
import { ok, problem, type Finding } from './finding.ts'

const OLDEST_NODE = [20, 17] as const

export function checkStateRoot({ env, home, cwd }: CliContext): Finding[] {
  const root = stateRootFrom(env, home)
  const named = STATE_ROOT_NAMES.find((name) => (env[name] ?? '') !== '')
  const fix = `Set ${named ?? 'GSTACK_STATE_ROOT'} to an absolute, writable folder outside the project.`
  const findings: Finding[] = []
  if (named !== undefined && !isAbsolute(env[named] ?? ''))
    findings.push(problem('state root', `${named} is relative, so it means ${root}`, fix))
  const tree = workTreeOf(cwd)
  if (tree !== undefined && !relative(tree, root).startsWith('..'))
    findings.push(
      problem('state root', `${root} lies in the work tree ${tree}, where the gate does not arm`, fix),
    )
  const why = whyNotWritable(root)
  if (why !== undefined) findings.push(problem('state root', `${root} is not writable: ${why}`, fix))
  return findings.length > 0 ? findings : [ok('state root', `${root} is writable`)]
}

function workTreeOf(cwd: string): string | undefined {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder
    if (dirname(folder) === folder) return undefined
  }
}

/** A root that is not there yet needs a parent that can be written. */
function whyNotWritable(root: string): string | undefined {
  try {
    if (existsSync(root)) {
      rmSync(mkdtempSync(join(root, '.doctor-')), { recursive: true })
      return undefined
    }
    let parent = dirname(root)
    while (!existsSync(parent)) parent = dirname(parent)
    if (!statSync(parent).isDirectory()) return `${parent} is no folder`
    accessSync(parent, constants.W_OK)
    return undefined
  } catch (error) {
    if (!isSystemError(error)) throw error
    return messageOf(error)
  }
}

/** Loads both in a process of the Node that the launcher takes, as its hooks do. */
export async function checkNode(context: CliContext): Promise<Finding[]> {
  const rebuild = `Run ./setup in ${context.packageRoot} with the Node that is to run the hooks.`
  const node = hookNode(context)
  if (node === undefined) return [problem('node', 'the Node of the build is gone and PATH has none', rebuild)]

  const [version, addon, nodegit] = await Promise.all([
    evaluate(node, 'process.stdout.write(process.versions.node)', context),
    evaluate(node, 'require("./build/Release/gstack_gates.node")', context),
    evaluate(node, 'require("nodegit")', context),
  ])
  return [
    version.isDone && isNewEnough(version.text)
      ? ok('node', `${node} is version ${version.text}`)
      : problem('node', `${node} is ${version.text}, not version ${OLDEST_NODE.join('.')} or newer`, rebuild),
    ...(
      [
        ['addon', addon],
        ['nodegit', nodegit],
      ] as const
    ).map(([name, { isDone, text }]) =>
      isDone
        ? ok(name, `it loads in ${node}`)
        : problem(name, `it does not load in ${node}: ${text}`, rebuild),
    ),
  ]
}

/** The Node that the build was made for, else the one on PATH; `bin/launch.sh` chooses the same way. */
function hookNode({ env, packageRoot }: CliContext): string | undefined {
  const onPath = (env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'node'))
  return [nodeOfBuild(packageRoot), ...onPath].find((path) => path !== undefined && isExecutable(path))
}

function nodeOfBuild(packageRoot: string): string | undefined {
  try {
    return readFileSync(join(packageRoot, 'dist', 'node-path'), 'utf8').trim()
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch (error) {
    if (isSystemError(error)) return false
    throw error
  }
}

async function evaluate(node: string, script: string, { env, packageRoot }: CliContext) {
  const command = [node, '-e', script].map(quoteForShell).join(' ')
  const { exitCode, stdout, stderr } = await runShell(command, {
    cwd: packageRoot,
    env: { ...env, NODE_OPTIONS: undefined },
  })
  if (exitCode === 0) return { isDone: true, text: stdout }
  const reason = /^\w*Error.*$/m.exec(stderr)?.[0] ?? `exit code ${String(exitCode)}`
  return { isDone: false, text: reason }
}

function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])
}
