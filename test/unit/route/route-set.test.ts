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
  const docs = readFileSync(
    fileURLToPath(new URL('../../../docs/skill-routing-and-contracts.md', import.meta.url)),
    'utf8',
  )
  const [tuned, heldBack] = (['tuned', 'held-back'] as const).map((part) =>
    figuresOf(
      FOLDER,
      prompts.filter((labelled) => labelled.part === part),
    ),
  )
  const row = (text: (figures: Figures) => string) =>
    expect.stringContaining([tuned, heldBack].map((figures) => figures && text(figures)).join(' | '))
  const lines = docs.replace(/ +/g, ' ')

  expect(lines).toEqual(row(({ right, wrong }) => `${String(right)} of ${String(right + wrong.length)}`))
  expect(lines).toEqual(
    row(({ right, prompts: all, nonFits }) => `${String(right)} of ${String(all - nonFits)}`),
  )
  expect(lines).toEqual(
    row(({ nonFits, falseRoutes }) => `${String(nonFits - falseRoutes)} of ${String(nonFits)}`),
  )
})
