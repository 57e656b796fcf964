import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { expect } from 'vitest'
import { test } from '../helpers/world.ts'

test('the demo plays the gate from load to report and finds everything in order', async ({ world }) => {
  const ran = await world.program('gstack-skill-gates', 'demo')

  expect(ran.stdout).not.toContain('NOT OK')
  expect(ran).toMatchObject({ exitCode: 0, stderr: '' })
  for (const event of ['fired', 'blocked', 'released'])
    expect(ran.stdout).toContain(`GSTACK_GATE investigate-gate ${event} `)
  expect(ran.stdout).toContain('The gate did its job.')
})

test('the demo leaves nothing behind, neither in HOME nor among temporary files', async ({ world }) => {
  rmSync(world.home, { recursive: true })
  mkdirSync(world.home)

  await world.program('gstack-skill-gates', 'demo')

  expect(readdirSync(world.home)).toEqual([])
  expect(readdirSync(world.temporary)).toEqual([])
})

test('the demo has no colours where no terminal is', async ({ world }) => {
  const ran = await world.program('gstack-skill-gates', 'demo')

  expect(ran.stdout).not.toContain('\u001b')
})
