/** Links of the documents: to files that are there, and to headings that they have. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { PACKAGE } from '../helpers/world.ts'

const documents = [
  ...readdirSync(PACKAGE).map((name) => join(PACKAGE, name)),
  ...readdirSync(join(PACKAGE, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) =>
    join(PACKAGE, 'docs', name),
  ),
].filter((path) => path.endsWith('.md'))

const withoutCode = (text: string) =>
  text.replaceAll(/```[\s\S]*?```/g, '').replaceAll(/`[^`\n]*`/g, (code) => code.slice(1, -1))

/** A heading's anchor as GitHub makes it. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

function hasAnchor(file: string, anchor: string): boolean {
  const headings = withoutCode(readFileSync(file, 'utf8')).matchAll(/^#+ +(.+)$/gm)
  return [...headings].some(([, heading = '']) => anchorOf(heading.trim()) === anchor)
}

test.for(documents.map((path) => relative(PACKAGE, path)))('every link in %s leads somewhere', (name) => {
  const file = join(PACKAGE, name)
  const links = [...withoutCode(readFileSync(file, 'utf8')).matchAll(/\]\(([^)\s]+)\)/g)].map(
    ([, target = '']) => target,
  )

  const broken = links.filter((link) => {
    if (/^[a-z]+:/.test(link)) return false
    const [path = '', anchor] = link.split('#')
    const target = path === '' ? file : join(dirname(file), path)
    if (!existsSync(target)) return true
    return anchor !== undefined && !hasAnchor(target, anchor)
  })
  expect(broken).toEqual([])
})

test('the map names every page', () => {
  const map = readFileSync(join(PACKAGE, 'docs/README.md'), 'utf8')
  const pages = readdirSync(join(PACKAGE, 'docs'), { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.md') && name !== 'README.md',
  )

  expect(pages.filter((name) => !map.includes(`(${name})`))).toEqual([])
})
