/** Which tracked paths the /investigate gate leaves alone. Paths are bytes, case counts. */

import type { RepoPath } from '../../core/ids.ts'

export type Exclusion = 'test' | 'doc' | 'lockfile' | 'generated' | 'symlink' | 'submodule'

const SYMLINK_MODE = 0o120000
const SUBMODULE_MODE = 0o160000

/**
 * @param mode of the path's index entry at the baseline; undefined when it has none
 * @returns undefined for source, which is gated. `generated` is not known here: it needs the repository's attributes
 */
export function exclusionOf(path: RepoPath, mode: number | undefined): Exclusion | undefined {
  if (mode === SYMLINK_MODE) return 'symlink'
  if (mode === SUBMODULE_MODE) return 'submodule'
  if (isTest(path)) return 'test'
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (/\.(?:md|mdx|rst|txt|adoc)$/.test(name)) return 'doc'
  return isLockfile(name) ? 'lockfile' : undefined
}

/** gstack's rule, with `fixtures/` at any depth; its other directories count at the root only. */
function isTest(path: string): boolean {
  return (
    /\.test\.|\.spec\.|_test\.|_spec\./.test(path) ||
    /^(?:test|tests|spec|__tests__|cypress|e2e)\//.test(path) ||
    /(?:^|\/)fixtures\//.test(path)
  )
}

const LOCKFILES: ReadonlySet<string> = new Set([
  'bun.lock',
  'bun.lockb',
  'package-lock.json',
  'npm-shrinkwrap.json',
  'yarn.lock',
  'pnpm-lock.yaml',
  'deno.lock',
  'Cargo.lock',
  'go.sum',
  'go.work.sum',
  'uv.lock',
  'poetry.lock',
  'pdm.lock',
  'pixi.lock',
  'Pipfile.lock',
  'conda-lock.yml',
  'Gemfile.lock',
  'gems.locked',
  'composer.lock',
  'mix.lock',
  'rebar.lock',
  'pubspec.lock',
  'Podfile.lock',
  'Package.resolved',
  'Cartfile.resolved',
  'packages.lock.json',
  'paket.lock',
  'gradle.lockfile',
  'buildscript-gradle.lockfile',
  'flake.lock',
  'MODULE.bazel.lock',
  'Chart.lock',
  '.terraform.lock.hcl',
  'stack.yaml.lock',
  'cabal.project.freeze',
  'conan.lock',
  'vcpkg-lock.json',
])

const isLockfile = (name: string): boolean => LOCKFILES.has(name)
