import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { figuresOf, readLabelledPrompts, type Figures } from '../../route-set/figures.ts'

const FOLDER = fileURLToPath(new URL('../../route-set', import.meta.url))
const prompts = readLabelledPrompts(FOLDER)

test('the labelled prompts are many, different, and half of them fit no skill', () => {
  expect(new Set(prompts.map(({ prompt }) => prompt)).size).toBe(prompts.length)
  expect(prompts.length).toBeGreaterThanOrEqual(200)
  expect(prompts.filter(({ fits }) => fits === null).length).toBeGreaterThan(prompts.length / 2)
})

test.each(['tuned', 'held-back'] as const)('routing keeps its figures on the %s prompts', (part) => {
  const figures = figuresOf(
    FOLDER,
    prompts.filter((labelled) => labelled.part === part),
  )

  expect(figures.falseRoutes / figures.nonFits).toBeLessThan(0.06)
  expect(figures.precision).toBeGreaterThan(0.85)
  expect(figures.recall).toBeGreaterThan(0.55)
})

test('the figures in the docs are those of the program', () => {
  const page = new URL('../../../docs/skill-routing-and-contracts.md', import.meta.url)
  const docs = readFileSync(fileURLToPath(page), 'utf8').replace(/ +/g, ' ')
  const cells = (text: (figures: Figures) => string) =>
    ['tuned', 'held-back']
      .map((part) =>
        figuresOf(
          FOLDER,
          prompts.filter((labelled) => labelled.part === part),
        ),
      )
      .map(text)
      .join(' | ')

  expect(docs).toContain(cells(({ right, wrong }) => `${String(right)} of ${String(right + wrong.length)}`))
  expect(docs).toContain(cells((all) => `${String(all.right)} of ${String(all.prompts - all.nonFits)}`))
  expect(docs).toContain(cells((all) => `${String(all.nonFits - all.falseRoutes)} of ${String(all.nonFits)}`))
})
