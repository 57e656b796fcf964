import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { figuresOf, readLabelledPrompts } from '../../route-set/figures.ts'

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
