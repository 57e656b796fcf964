/** `report --html` in a real browser, with sessions of real hooks and contents that are out to break the page. */

import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { armIn, CAUSE } from '../helpers/armed.ts'
import { CHROMIUM, startBrowser, type Browser, type Page, type Screen } from '../helpers/browser.ts'
import { createWorld, removeWorld, test, type World } from '../helpers/world.ts'

const LIGHT: Screen = { width: 1100, height: 800, colours: 'light' }
const DARK: Screen = { ...LIGHT, colours: 'dark' }
const PHONE: Screen = { width: 390, height: 800, colours: 'light' }

/** Names and contents that are markup, close what they stand in, or run. */
const HOSTILE = {
  name: 'src/<img src=x onerror="window.broken=1">.js',
  folders: 'src/</details></script><script>window.broken=1</script>.js',
  quotes: 'src/" autofocus onfocus="window.broken=1.js',
  content:
    '</pre><script>window.broken = 1</script>{{script}}<img src=http://example.invalid/a.png>\n\u202e\u001b[31m\n',
} as const

/** One session in which everything was put back and released, one of hostile content, one that went wrong. */
async function playSessions(world: World): Promise<string> {
  const repo = world.repo('plain')
  for (const name of [HOSTILE.name, HOSTILE.folders, HOSTILE.quotes]) repo.write(name, 'harmless\n')
  repo.git('add', '-A')
  repo.git('commit', '-qm', 'More files')
  const { session } = await armIn(world, repo)
  await session.edit('src/cart.js', 'fixed\n')
  await session.bash("sed -i 's/sum + /sum - /' src/cart.js")
  session.reads(repo.path('src/cart.js'))
  await session.edit('src/cart.js', 'fixed\n', { says: `Root cause: ${CAUSE}` })

  const other = await armIn(world, repo)
  for (const name of [HOSTILE.name, HOSTILE.folders, HOSTILE.quotes]) repo.write(name, HOSTILE.content)
  await other.session.check('PostToolUse')

  await other.session.hook('PreToolUse', { payload: { transcript_path: `/none/${HOSTILE.folders}` } })
  return session.id
}

async function writePage(world: World): Promise<string> {
  const file = join(world.folder, 'report.html')
  await world.program('gstack-skill-gates', 'report', '--html', file)
  return file
}

const visibleSessions = (page: Page) =>
  page.read(`[...document.querySelectorAll('.session')].filter((each) => each.checkVisibility()).length`)
const background = (page: Page) => page.read('getComputedStyle(document.body).backgroundColor')
const openDifferences = (page: Page) => page.read(`document.querySelectorAll('details[open]').length`)

test('the page names each decision in order and holds what was put back as a difference', async ({
  world,
}) => {
  const session = await playSessions(world)

  const page = readFileSync(await writePage(world), 'utf8')

  const [, own = ''] = page.split(`id="${session}"`)
  const titles = [...own.split('</article>')[0]!.matchAll(/<b>([^<]+)<\/b>/g)].map(([, title]) => title)
  expect(titles).toEqual([
    'Armed',
    'Blocked an edit',
    'Blocked a Bash call',
    'Released: a root cause was stated',
  ])
  expect(own).toMatch(/<del>-.*sum \+ .*<\/del>\s*<ins>\+.*sum - .*<\/ins>/)
})

test('only its owner can read the page, and the command says where it is', async ({ world }) => {
  const ran = await world.program('gstack-skill-gates', 'report', '--html', 'report.html')

  expect(ran).toMatchObject({ exitCode: 0, stdout: `${join(world.home, 'report.html')}\n` })
  expect(statSync(join(world.home, 'report.html')).mode & 0o777).toBe(0o600)
})

test('a file that cannot be written is a usage error', async ({ world }) => {
  const ran = await world.program('gstack-skill-gates', 'report', '--html', 'none/report.html')

  expect(ran).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('none/report.html') })
})

describe.skipIf(CHROMIUM === undefined)('in a browser', () => {
  let world: World
  let browser: Browser
  let file: string

  beforeAll(async () => {
    world = createWorld()
    await playSessions(world)
    file = await writePage(world)
    browser = startBrowser(CHROMIUM ?? '', join(world.temporary, 'profile'))
  })
  afterAll(async () => {
    await browser.close()
    removeWorld(world.folder)
  })

  test('nothing that a file is named or holds runs, loads or leaves its place', async () => {
    const page = await browser.open(file, LIGHT)

    await page.click('#open-all')

    expect(page.complaints).toEqual([])
    expect(await page.read('String(window.broken)')).toBe('undefined')
    expect(await page.read(`document.querySelectorAll('script').length`)).toBe(1)
    expect(await page.read(`document.querySelectorAll('img, [onfocus], [onerror]').length`)).toBe(0)
    const shown = await page.read(`document.querySelector('main').textContent`)
    for (const text of [HOSTILE.folders, '</pre><script>', '{{script}}', '\\u{202e}', '\\x1b[31m'])
      expect(shown).toContain(text)
  })

  test('only the sessions that hold what is looked for are shown', async () => {
    const page = await browser.open(file, LIGHT)

    await page.click('#filter')
    await page.type('sum - ')
    const found = await visibleSessions(page)
    await page.type('nowhere')
    const nothing = await visibleSessions(page)

    expect([found, nothing]).toEqual([1, 0])
    expect(await page.read(`document.querySelector('#shown').value`)).toBe('0 of 2 sessions')
  })

  test('the keyboard reaches the theme, the tools and each difference', async () => {
    const page = await browser.open(file, LIGHT)
    const before = await background(page)

    await page.press('Tab', 'Enter')
    const switched = await background(page)
    await page.press('Tab', 'Tab', ' ')
    const wrongOnly = await visibleSessions(page)
    await page.press(' ', 'Tab', 'Enter')
    const opened = await openDifferences(page)

    expect(switched).not.toBe(before)
    expect([wrongOnly, opened]).toEqual([1, 4])
    expect(await page.read('document.activeElement.textContent')).toBe('Close all differences')
  })

  test('it is light or dark as the person likes, and fits a phone', async () => {
    const light = await browser.open(file, LIGHT)
    const dark = await browser.open(file, DARK)
    const phone = await browser.open(file, PHONE)

    expect(await background(light)).toBe('rgb(246, 245, 242)')
    expect(await background(dark)).toBe('rgb(21, 23, 26)')
    await phone.click('#open-all')
    expect(await phone.read('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    for (const [name, page] of Object.entries({ light, dark, phone })) await keepPicture(name, page)
  })
})

/** With SCREENSHOTS the pictures stay in that folder, for a person to look at. */
async function keepPicture(name: string, page: Page): Promise<void> {
  const picture = await page.screenshot()
  expect(picture.subarray(1, 4).toString()).toBe('PNG')
  const folder = process.env['SCREENSHOTS']
  if (folder !== undefined) writeFileSync(join(folder, `report-${name}.png`), picture)
}
