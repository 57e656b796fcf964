// Prints how well routing does on the labelled prompts: node test/route-set/measure.mjs [--wrong] [--missed]
import { fileURLToPath } from 'node:url'
import { importBundled } from '../helpers/bundle.mjs'

const folder = fileURLToPath(new URL('.', import.meta.url)).replace(/\/$/, '')
const { figuresOf, readLabelledPrompts } = await importBundled(new URL('figures.ts', import.meta.url))

const prompts = readLabelledPrompts(folder)
const percent = (part, whole) => (whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)} %`)

const sets = {
  tuned: prompts.filter(({ part }) => part === 'tuned'),
  'held-back': prompts.filter(({ part }) => part === 'held-back'),
  all: prompts,
  'all over 200 characters': prompts.filter(({ prompt }) => prompt.length > 200),
}
for (const [name, set] of Object.entries(sets)) {
  const figures = figuresOf(folder, set)
  const { right, wrong, nonFits, falseRoutes } = figures
  const fits = figures.prompts - nonFits
  console.log(
    [
      `${name}: ${figures.prompts} prompts, ${fits} fit a skill, ${nonFits} fit none`,
      `  precision    ${percent(right, right + wrong.length)} (${right} of ${right + wrong.length} routed)`,
      `  recall       ${percent(right, fits)} (${right} of ${fits} that fit)`,
      `  false routes ${percent(falseRoutes, nonFits)} (${falseRoutes} of ${nonFits} that fit none)`,
    ].join('\n'),
  )
  if (name.startsWith('all')) continue
  if (process.argv.includes('--wrong'))
    for (const { prompt, fits, route } of wrong)
      console.log(`  wrong ${route} for ${fits ?? 'none'}: ${prompt}`)
  if (process.argv.includes('--missed'))
    for (const { prompt, fits } of figures.missed) console.log(`  missed ${fits}: ${prompt}`)
}
