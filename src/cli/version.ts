import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The version that package.json names. */
export function versionOf(packageRoot: string): string {
  const manifest = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as { version: string }
  return manifest.version
}
