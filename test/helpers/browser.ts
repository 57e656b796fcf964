/** Debian's Chromium without a window, driven over a pipe in the DevTools protocol. */

import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { pathToFileURL } from 'node:url'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome']

/** undefined where there is none; a test that needs it then skips. */
export const CHROMIUM = (process.env['PATH'] ?? '')
  .split(delimiter)
  .flatMap((folder) => NAMES.map((name) => join(folder, name)))
  .find((file) => existsSync(file))

export interface Browser {
  open(file: string, screen: Screen): Promise<Page>
  close(): Promise<void>
}

export interface Screen {
  readonly width: number
  readonly height: number
  readonly colours: 'light' | 'dark'
}

export interface Page {
  /** Value of an expression in the page; it has to survive JSON. */
  read(expression: string): Promise<unknown>
  /** Clicks into the middle of the first element that matches. */
  click(selector: string): Promise<void>
  /** Presses keys by name, as in `Tab` or `Enter`. */
  press(...keys: readonly string[]): Promise<void>
  type(text: string): Promise<void>
  /** PNG of the whole page. */
  screenshot(): Promise<Buffer>
  /** URLs that the page asked for beside its own file, and what its console and dialogs said. */
  readonly complaints: readonly string[]
}

type Params = Readonly<Record<string, unknown>>
interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: Params
  readonly result?: Params
  readonly error?: { readonly message: string }
  readonly sessionId?: string
}

/** @param folder holds its profile */
export function startBrowser(program: string, folder: string): Browser {
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run']
  const child = spawn(program, [...flags, `--user-data-dir=${folder}`, '--remote-debugging-pipe'], {
    env: { PATH: process.env['PATH'], HOME: folder, TMPDIR: folder, LANG: 'C.UTF-8' },
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  })
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const { send, listen } = speak(child.stdio[3] as Writable, child.stdio[4] as Readable)

  return {
    async open(file, screen) {
      const { targetId } = await send('Target.createTarget', { url: 'about:blank' })
      const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true })
      return openPage(pathToFileURL(file).href, screen, {
        send: (method, params) => send(method, params, sessionId as string),
        listen: (hear) => {
          listen((message) => {
            if (message.sessionId === sessionId) hear(message)
          })
        },
      })
    },
    async close() {
      child.kill()
      await gone
    },
  }
}

type Send = (method: string, params?: Params, sessionId?: string) => Promise<Params>

/** Messages are JSON texts, each followed by a zero byte. */
function speak(
  out: Writable,
  input: Readable,
): { send: Send; listen: (hear: (message: Message) => void) => void } {
  const waiting = new Map<number, (message: Message) => void>()
  const listeners: ((message: Message) => void)[] = []
  let rest = ''
  let lastId = 0
  // What was under way when the browser ends is nobody's any more.
  for (const pipe of [out, input]) pipe.on('error', () => undefined)
  input.setEncoding('utf8')
  input.on('data', (chunk: string) => {
    const texts = (rest + chunk).split('\0')
    rest = texts.pop() ?? ''
    for (const text of texts) {
      const message = JSON.parse(text) as Message
      if (message.id === undefined) for (const hear of listeners) hear(message)
      else waiting.get(message.id)?.(message)
    }
  })
  return {
    listen: (hear) => void listeners.push(hear),
    send: (method, params = {}, sessionId) =>
      new Promise((resolve, reject) => {
        const id = ++lastId
        waiting.set(id, ({ error, result }) => {
          waiting.delete(id)
          if (error === undefined) resolve(result ?? {})
          else reject(new Error(`${method}: ${error.message}`))
        })
        out.write(
          `${JSON.stringify({ id, method, params, ...(sessionId === undefined ? {} : { sessionId }) })}\0`,
        )
      }),
  }
}

async function openPage(
  url: string,
  { width, height, colours }: Screen,
  tab: {
    send: (method: string, params?: Params) => Promise<Params>
    listen: (hear: (message: Message) => void) => void
  },
): Promise<Page> {
  const { send } = tab
  const complaints: string[] = []
  const loaded = new Promise<void>((resolve) => {
    tab.listen(({ method, params }) => {
      if (method === 'Page.loadEventFired') resolve()
      else if (method === 'Network.requestWillBeSent') {
        const asked = (params as { request: { url: string } }).request.url
        if (asked !== url) complaints.push(asked)
      } else if (method !== undefined && COMPLAINTS.has(method)) complaints.push(JSON.stringify(params))
    })
  })
  for (const domain of ['Page', 'Network', 'Runtime', 'Log']) await send(`${domain}.enable`)
  await send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false })
  await send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: colours }] })
  await send('Page.navigate', { url })
  await loaded

  const read = async (expression: string): Promise<unknown> => {
    const answer = await send('Runtime.evaluate', { expression, returnByValue: true })
    if ('exceptionDetails' in answer) throw new Error(JSON.stringify(answer['exceptionDetails']))
    return (answer['result'] as { value?: unknown }).value
  }
  return {
    complaints,
    read,
    async click(selector) {
      const [x, y] = (await read(`(() => {
        const element = document.querySelector(${JSON.stringify(selector)})
        element.scrollIntoView({ block: 'center' })
        const box = element.getBoundingClientRect()
        return [box.x + box.width / 2, box.y + box.height / 2]
      })()`)) as [number, number]
      for (const type of ['mousePressed', 'mouseReleased'])
        await send('Input.dispatchMouseEvent', { type, x, y, button: 'left', clickCount: 1 })
    },
    async press(...keys) {
      for (const key of keys) {
        const text = key === 'Enter' ? '\r' : key === ' ' ? ' ' : undefined
        const code = { Tab: 9, Enter: 13, ' ': 32 }[key]
        const press = { key, code: key, windowsVirtualKeyCode: code, ...(text === undefined ? {} : { text }) }
        await send('Input.dispatchKeyEvent', {
          ...press,
          type: text === undefined ? 'rawKeyDown' : 'keyDown',
        })
        await send('Input.dispatchKeyEvent', { ...press, type: 'keyUp' })
      }
    },
    async type(text) {
      await send('Input.insertText', { text })
    },
    async screenshot() {
      const { data } = await send('Page.captureScreenshot', { captureBeyondViewport: true })
      return Buffer.from(data as string, 'base64')
    },
  }
}

const COMPLAINTS: ReadonlySet<string> = new Set([
  'Runtime.consoleAPICalled',
  'Runtime.exceptionThrown',
  'Log.entryAdded',
  'Page.javascriptDialogOpening',
])
