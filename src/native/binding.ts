/** Finds and loads the addon once and gives it a type; nothing else in `src` loads it. */
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

import { GateError } from '../core/errors.ts'
import type { Native } from './addon.ts'

const PACKAGE_NAME = 'gstack-skill-gates'
let loaded: Native | undefined

/** @throws GateError GATE_NATIVE when the addon is missing or was built for another Node */
export function native(): Native {
  loaded ??= load()
  return loaded
}

function load(): Native {
  const path = join(packageRoot(), 'build', 'Release', 'gstack_gates.node')
  try {
    return createRequire(import.meta.filename)(path) as Native
  } catch (cause) {
    throw new GateError('GATE_NATIVE', `cannot load the addon ${path}`, { cause })
  }
}

/** Sources lie two folders below the package, bundles one. */
function packageRoot(): string {
  let folder = import.meta.dirname
  while (!isPackageRoot(folder)) {
    const parent = dirname(folder)
    if (parent === folder) throw new GateError('GATE_NATIVE', `${PACKAGE_NAME} is not installed as a package`)
    folder = parent
  }
  return folder
}

function isPackageRoot(folder: string): boolean {
  const manifest = join(folder, 'package.json')
  if (!existsSync(manifest)) return false
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { name?: unknown }).name === PACKAGE_NAME
}
