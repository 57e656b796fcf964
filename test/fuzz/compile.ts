/** Compiles native code for the fuzz tests: without Node, and with the sanitizers. */
import { execFileSync, spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { IS_LONG } from '../helpers/long.ts'
import { PACKAGE } from '../helpers/world.ts'

const has = (program: string): boolean => spawnSync(program, ['--version']).status === 0
export const CAN_FUZZ = has('g++')
/** Inputs that the branches they reach lead to. */
export const CAN_GUIDE = IS_LONG && has('clang++')

const SECONDS_OF_ENGINE = 60
const LIBGIT2 = join(
  dirname(createRequire(import.meta.url).resolve('nodegit/package.json')),
  'vendor/libgit2/include',
)
const FLAGS = ['-std=gnu++17', '-g1', '-pthread', '-isystem', LIBGIT2, '-I', join(PACKAGE, 'native')]
const SANITIZERS = ['-fsanitize=address,undefined', '-fno-sanitize-recover=all']

export const partFile = (name: string): string => join(PACKAGE, 'native', `${name}.cc`)
export const fuzzFile = (name: string): string => join(PACKAGE, 'test/fuzz', `${name}.cc`)

export interface Sources {
  /** Where the program goes, and where headers lie that are made for it. */
  readonly folder: string
  readonly files: readonly string[]
}

/** @returns path of the program */
export function compile({ folder, files }: Sources, name: string): string {
  return build('g++', { folder, files }, name, SANITIZERS)
}

/** The target alone, driven by libFuzzer. */
export function compileGuided({ folder, files }: Sources, target: string): string {
  const all = [fuzzFile('engine'), ...files]
  return build('clang++', { folder, files: all }, `guided-${target}`, [
    '-fsanitize=fuzzer',
    `-DTARGET=${target}`,
    ...SANITIZERS,
  ])
}

function build(compiler: string, { folder, files }: Sources, name: string, flags: readonly string[]): string {
  const program = join(folder, name)
  execFileSync(compiler, [...FLAGS, '-I', folder, ...flags, '-o', program, ...files, '-ldl'], {
    stdio: 'pipe',
  })
  return program
}

export interface Guided {
  readonly status: number | null
  readonly stderr: string
  /** How many inputs were run, as the engine says it. */
  readonly inputs: string
}

/** @param corpus folder of the seeds, which the engine adds to */
export function runGuided(
  program: string,
  corpus: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Guided {
  const limits = [`-max_total_time=${String(SECONDS_OF_ENGINE)}`, '-max_len=65536', '-print_final_stats=1']
  const { status, stderr } = spawnSync(program, [...limits, corpus], {
    cwd: dirname(program),
    encoding: 'utf8',
    env: { ...env },
    maxBuffer: 64 * 1024 * 1024,
  })
  return { status, stderr, inputs: /number_of_executed_units: *\d+/.exec(stderr)?.[0] ?? '' }
}
