import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { git } from './git.ts'
import { buildShape, copyShape, PROJECT, shapeNames } from './recipe.ts'

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'recipe-'))
  onTestFinished(() => {
    rmSync(folder, { recursive: true })
  })
  return folder
}

const headOf = (project: string) => git(project, ['rev-parse', '-q', '--verify', 'HEAD'], { accept: [1] })

test('every shape has the same commit on every machine, and the status that its recipe says', () => {
  const base = temporaryFolder()

  const shapes = shapeNames().map((shape) => {
    const project = copyShape(shape, join(base, shape))
    return `${shape} ${headOf(project)}\n${git(project, ['status', '--porcelain'])}`.trim()
  })

  expect(shapes.join('\n')).toMatchInlineSnapshot(`
    "branch-behind 34cf9fc8e4e4e96f4b14bdfb6990273215f67c6b
    crlf-and-ident f7e4be86f4c9dbf967899fed5928f75155cb207b
    dirty-start fdc15af9eaf3f81c8982ef045e5a11b18f138db0
     D src/deleted.js
     M src/edited.js
    ?? notes.txt
    ?? src/untracked.js
    filter-driver 7388f5a4fc6b62a89ca58a0a3b646da4560cff76
    generated-attrs e52ab89beb4287eb19bcd5068cada136fd5d975c
    history cdd6c70265dc84d383c752bdb7e070e77e825503
    large 6648c5376f971c979c9c2967ce134c2682036ec7
    merge-with-conflict 297ff367630486d34ecbc03fd0562117273b58b5
    UU src/a.js
    M  src/c.js
    odd-names 1497b8cbceac4271b51780cde1edc8c82ce98da9
     M src/plain.js
    partially-staged 405eccdae2c1f113f3314ccf2aba4d00ef54ec09
    MM src/kept.js
    MM src/list.js
    plain 891d87074824d1dee5ecd29b96f4777f9a85b8b5
    rebase-and-amend d74d51b0bab3aa48ad2b6b4e4a4eb0ccddd3028f
    remote-ahead d27da14a5dd2ccf662f55234bae3a104a72943bf
    sparse-cone 8428bd65a5117f19a12fe1d5feac85bdb982f7f8
    sparse-index 8428bd65a5117f19a12fe1d5feac85bdb982f7f8
    sparse-patterns 8428bd65a5117f19a12fe1d5feac85bdb982f7f8
    split-index 8428bd65a5117f19a12fe1d5feac85bdb982f7f8
    staged-only 58555056fa82f031cc0849b42cc4eece98dc43c5
    D  src/deleted.js
    M  src/edited.js
    A  src/new.js
    stash-before ecdd3db8684dfe128df15a72a5271cb92aeee4f9
    submodule a0a7f0535a64f75e44d22b00f51f9283ed37d833
    symlinks 495b02bd2230ace8267463fb6d563fd5456c2f05
    unborn 
    A  src/a.js
    worktree 4462465933af4e6a6173242203b325cfac0d9adf"
  `)
})

test('building a shape twice gives the same objects, with or without the cache', () => {
  const base = temporaryFolder()
  const cached = copyShape('stash-before', join(base, 'cached'))

  buildShape('stash-before', join(base, 'fresh'))

  const objects = (project: string) => git(project, ['cat-file', '--batch-check', '--batch-all-objects'])
  expect(objects(join(base, 'fresh', PROJECT))).toBe(objects(cached))
})

test('a copied worktree belongs to the copy', () => {
  const base = temporaryFolder()

  const project = copyShape('worktree', join(base, 'copy'))

  expect(git(join(base, 'copy/second'), ['rev-parse', '--path-format=absolute', '--git-common-dir'])).toBe(
    join(project, '.git'),
  )
})

test('a copy with a remote fetches from the copy of the remote', () => {
  const project = copyShape('remote-ahead', join(temporaryFolder(), 'copy'))
  const upstream = git(join(project, '../upstream'), ['rev-parse', 'main'])

  git(project, ['fetch', '-q'])

  expect(git(project, ['rev-parse', 'origin/main'])).toBe(upstream)
})

test('fixtures hold no repository, and the README names every shape', () => {
  const fixtures = new URL('../../fixtures-repos/', import.meta.url)

  const files = readdirSync(fixtures, { recursive: true, encoding: 'utf8' })
  const readme = readFileSync(new URL('README.md', fixtures), 'utf8')

  expect(files.filter((file) => /(^|\/)\.git(\/|$)/.test(file))).toEqual([])
  for (const shape of shapeNames()) expect(readme).toContain(`\`${shape}\``)
  expect(existsSync(new URL('README.md', fixtures))).toBe(true)
})
