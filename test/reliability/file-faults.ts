/** Makes file operations of a hook fail, wait or kill it, through a library that is compiled when a test needs it. */
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PACKAGE, type World } from '../helpers/world.ts'

/** Preloads are Linux's, and the library needs a compiler; elsewhere these tests are skipped. */
export const CAN_FAULT = process.platform === 'linux' && spawnSync('cc', ['--version']).status === 0

/** One operation of a pass, as the library names it. */
export interface Operation {
  readonly name: string
  readonly path: string
}

export type Preload = Readonly<Record<string, string>>

/** The operations that count: those below the world's folder, where repository and state root lie. */
export const faultAt = (world: World, fault: string): Preload => ({
  LD_PRELOAD: library(),
  GATE_FAULT_UNDER: world.folder,
  GATE_FAULT: fault,
})

/** Runs a pass that nothing disturbs and lists its operations in order. */
export async function listOperations(
  world: World,
  pass: (preload: Preload) => Promise<unknown>,
): Promise<readonly Operation[]> {
  const log = join(world.home, 'operations')
  await pass({ LD_PRELOAD: library(), GATE_FAULT_UNDER: world.folder, GATE_FAULT_LOG: log })
  const lines = readFileSync(log, 'utf8').trimEnd().split('\n')
  rmSync(log)
  return lines.map((line) => {
    const [name = '', path = ''] = line.split('\t')
    return { name, path }
  })
}

const ERRNO = { EIO: 5, ENOMEM: 12, EXDEV: 18, EMFILE: 24, ENOSPC: 28, EROFS: 30, EDQUOT: 122 } as const
export type FaultName = keyof typeof ERRNO

export const errnoOf = (fault: FaultName): string => String(ERRNO[fault])

/** How each operation fails in the field. */
const WAYS: Readonly<Record<string, readonly FaultName[]>> = {
  create: ['ENOSPC', 'EDQUOT', 'EROFS', 'EMFILE', 'ENOMEM', 'EIO'],
  open: ['EMFILE', 'EIO', 'ENOMEM'],
  read: ['EIO', 'ENOMEM'],
  write: ['ENOSPC', 'EDQUOT', 'EIO'],
  map: ['ENOMEM', 'EIO'],
  rename: ['EXDEV', 'ENOSPC', 'EIO', 'EROFS'],
  link: ['EXDEV', 'ENOSPC', 'EDQUOT'],
  symlink: ['ENOSPC', 'EROFS'],
  mkdir: ['ENOSPC', 'EROFS', 'EDQUOT'],
  unlink: ['EROFS', 'EIO'],
  lock: ['ENOMEM', 'EIO'],
}

/** Operations that change something. */
export const CHANGES: ReadonlySet<string> = new Set([
  'create',
  'write',
  'rename',
  'link',
  'symlink',
  'mkdir',
  'unlink',
  'truncate',
  'chmod',
])

export const waysOf = (operation: Operation): readonly FaultName[] =>
  WAYS[operation.name] ?? ['EIO', 'ENOMEM']

function library(): string {
  const source = fileURLToPath(new URL('file-faults.c', import.meta.url))
  const digest = createHash('sha256').update(readFileSync(source)).digest('hex').slice(0, 12)
  const folder = join(PACKAGE, 'node_modules/.cache')
  const built = join(folder, `file-faults-${digest}.so`)
  if (existsSync(built)) return built
  mkdirSync(folder, { recursive: true })
  const fresh = `${built}.${String(process.pid)}`
  execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', fresh, source, '-ldl'])
  renameSync(fresh, built)
  return built
}
