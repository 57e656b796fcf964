import { execFileSync, spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test as base } from 'vitest'
import { hasErrno } from '../../src/core/errors.ts'
import { expectDocumented } from './documented-exit.ts'
import { GIT_ENV } from './git.ts'
import { copyShape } from './recipe.ts'
import { openRepo, type Repo } from './repo.ts'
import { createSession, type Session, type SessionOptions } from './session.ts'

export const PACKAGE = fileURLToPath(new URL('../../', import.meta.url))

/** A person's machine as far as one test needs it; everything lies in one temporary folder. */
export interface World {
  readonly folder: string
  readonly home: string
  readonly stateRoot: string
  /** What CLAUDE_CONFIG_DIR names; the skills are installed in its `skills`. */
  readonly configDir: string
  /** TMPDIR of every process of this world. */
  readonly temporary: string
  /** Environment of hooks and commands, with the /investigate gate switched on; a test may change it. */
  readonly env: Record<string, string>
  /** A copy of a shape of `fixtures-repos/`. */
  repo(shape: string): Repo
  /** A repository that a shell script makes in its working directory; `new_repo` and `save` are at hand. */
  shellRepo(script: string): Promise<Repo>
  /** A session whose cwd is the repository, by default the first one of this world. */
  session(options?: Partial<SessionOptions>): Session
  run(command: string, args: readonly string[], options?: RunOptions): Promise<Ran>
  /** `run` starts no process: whatever the command, it is a hook in this one. */
  readonly isInProcess?: true
  /** Runs a program of `bin/`, which must not end with an exit code that its help lacks. */
  program(name: string, ...args: string[]): Promise<Ran>
  /** The trace log of a hook, one line per element; empty when there is none. */
  log(hook?: string): string[]
}

export interface RunOptions {
  readonly cwd?: string
  readonly input?: string | Buffer
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Runs as this user, which only root can ask for. */
  readonly uid?: number
  /** SIGKILL after so many milliseconds. */
  readonly killAfterMs?: number
  /** SIGKILL as soon as this is so. */
  readonly killOnce?: () => boolean
}

export interface Ran {
  readonly stdout: string
  readonly stderr: string
  /** Absent when a signal ended the process. */
  readonly exitCode: number | undefined
  readonly ms: number
}

export const test = base.extend<{ world: World }>({
  world: async ({ task }, use) => {
    const world = createWorld()
    await use(world)
    if (process.env['KEEP_WORLDS'] === '1') console.log(`${task.name}: ${world.folder}`)
    else removeWorld(world.folder)
  },
})

/** For what several tests look at; they and `removeWorld` are the caller's. */
export function createWorld(): World {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'world-')))
  const [home, temporary] = [join(folder, 'home'), join(folder, 'tmp')]
  const [stateRoot, configDir] = [join(home, '.gstack'), join(home, '.claude')]
  for (const made of [home, temporary, stateRoot]) mkdirSync(made)
  for (const skill of ['investigate', 'plan-ceo-review']) installSkill(configDir, skill)

  const env = environmentOf({ home, stateRoot, configDir, temporary })
  const repos: Repo[] = []
  const keep = (repo: Repo) => {
    repos.push(repo)
    return repo
  }
  const world: World = {
    folder,
    home,
    stateRoot,
    configDir,
    temporary,
    env,
    repo: (shape) => keep(openRepo(copyShape(shape, join(folder, `${shape}-${String(repos.length)}`)))),
    shellRepo: async (script) => {
      const project = join(folder, `shell-${String(repos.length)}`, 'project')
      mkdirSync(project, { recursive: true })
      const ran = await run('bash', ['-e', '-c', `${SHELL_HELPERS}\n${script}`], {
        cwd: project,
        env: GIT_ENV,
      })
      if (ran.exitCode !== 0) throw new Error(`the script failed: ${ran.stderr}`)
      return keep(openRepo(project))
    },
    session: (options = {}) => {
      const cwd = options.cwd ?? repos[0]?.folder
      if (cwd === undefined) throw new Error('a session needs a repository')
      return createSession(world, { ...options, cwd })
    },
    run: (command, args, options) => run(command, args, { env, ...options }),
    program: async (name, ...args) => {
      const ran = await run(join(PACKAGE, 'bin', name), args, { cwd: home, env })
      expectDocumented(name, args, ran)
      return ran
    },
    log: (hook = 'investigate-gate') => readLines(join(stateRoot, 'hooks', `${hook}.log`)),
  }
  return world
}

/** What the client hands to a hook, and nothing of the machine that runs the tests. */
function environmentOf(
  places: Pick<World, 'home' | 'stateRoot' | 'configDir' | 'temporary'>,
): Record<string, string> {
  return {
    PATH: GIT_ENV.PATH,
    HOME: places.home,
    TMPDIR: places.temporary,
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    GSTACK_STATE_ROOT: places.stateRoot,
    GSTACK_INVESTIGATE_GATE: 'on',
    CLAUDE_CONFIG_DIR: places.configDir,
    CLAUDE_PID: String(process.pid),
    CLAUDE_CODE_ENTRYPOINT: 'sdk-cli',
    CLAUDE_CODE_SESSION_ATTENDED: '0',
    CLAUDECODE: '1',
  }
}

function installSkill(configDir: string, name: string): void {
  const folder = join(configDir, 'skills', name)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'SKILL.md'), `---\nname: ${name}\ndescription: ${name}\n---\n\n# /${name}\n`)
}

/** As the public cases have them: the work tree is the script's working directory. */
const SHELL_HELPERS = `
new_repo() { git init -q -b main "$@"; git config user.email dev@example.invalid; git config user.name Dev; mkdir -p src; R=$PWD; }
save() { git add -A && git commit -qm "\${1:-base}"; }
`

function run(command: string, args: readonly string[], options: RunOptions): Promise<Ran> {
  const started = performance.now()
  return new Promise((resolve, reject) => {
    const { cwd, uid } = options
    const child = spawn(command, args, {
      ...(cwd === undefined ? {} : { cwd }),
      ...(uid === undefined ? {} : { uid, gid: uid }),
      env: { ...options.env },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    const killer =
      options.killAfterMs === undefined
        ? undefined
        : setTimeout(() => child.kill('SIGKILL'), options.killAfterMs)
    const { killOnce } = options
    const watcher =
      killOnce === undefined ? undefined : setInterval(() => killOnce() && child.kill('SIGKILL'), 5)
    const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []]
    child.stdout.on('data', (bytes: Buffer) => stdout.push(bytes))
    child.stderr.on('data', (bytes: Buffer) => stderr.push(bytes))
    child.on('error', reject)
    child.stdin.on('error', () => undefined) // a program that does not read its input
    child.on('close', (code) => {
      clearTimeout(killer)
      clearInterval(watcher)
      resolve({
        stdout: Buffer.concat(stdout).toString('utf8'),
        stderr: Buffer.concat(stderr).toString('utf8'),
        exitCode: code ?? undefined,
        ms: performance.now() - started,
      })
    })
    child.stdin.end(options.input ?? '')
  })
}

const readLines = (file: string): string[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
    : []

/** A background command of the test may still be writing. */
const REMOVE = { recursive: true, maxRetries: 5, retryDelay: 50 }

/** Also when a test took the write permission of a folder away. */
export function removeWorld(folder: string): void {
  try {
    rmSync(folder, REMOVE)
  } catch (error) {
    if (!hasErrno(error, 'EACCES')) throw error
    execFileSync('chmod', ['-R', 'u+rwX', folder])
    rmSync(folder, REMOVE)
  }
}
