/**
 * A stand-in for the Messages API on loopback: it says what a script tells it to, turn by turn, and keeps every request.
 * No model is asked. What the client wants beside the conversations (titles, token counts) gets a harmless answer.
 */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export type Block =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'call'; readonly tool: string; readonly input: Readonly<Record<string, unknown>> }
  /** The message goes on streaming, but nothing comes for so long. */
  | { readonly kind: 'pause'; readonly ms: number }

/** One assistant message; a function gets the text of the newest user message, tool results included. */
export type Turn = readonly Block[] | ((heard: string) => readonly Block[])

export interface Script {
  readonly main: readonly Turn[]
  /** What a subagent says whose prompt contains the key. */
  readonly agents?: Readonly<Record<string, readonly Turn[]>>
}

export interface Model<Seen> {
  readonly port: number
  /** Bodies of all requests as they came, side requests too. */
  readonly requests: readonly string[]
  /** What was to be seen when each turn was asked for, by conversation: `main` or the key of an agent. */
  readonly seen: Readonly<Record<string, readonly Seen[]>>
  /** Hosts that the client tried to reach beside this one. */
  readonly strangers: readonly string[]
  close(): Promise<void>
}

interface MessagesRequest {
  readonly model: string
  readonly stream?: boolean
  readonly max_tokens?: number
  readonly tools?: readonly unknown[]
  readonly messages: readonly { readonly role: string; readonly content: Content }[]
}

type Content =
  string | readonly { readonly type: string; readonly text?: string; readonly content?: Content }[]

const USAGE = {
  input_tokens: 100,
  output_tokens: 20,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
}

/** Ids go on over all sessions of a process: a resumed transcript must not hold one twice. */
let lastId = 0

/** @param observe called as each turn is asked for, after the hooks of the turn before have ended */
export async function startModel<Seen>(script: Script, observe: () => Seen): Promise<Model<Seen>> {
  const turns: Readonly<Record<string, readonly Turn[]>> = { ...script.agents, main: script.main }
  const seen: Record<string, Seen[]> = Object.fromEntries(Object.keys(turns).map((name) => [name, []]))
  const requests: string[] = []
  const strangers: string[] = []

  const nextTurn = (body: MessagesRequest): readonly Block[] => {
    if (!body.tools?.length || body.max_tokens === 1) return [{ kind: 'text', text: 'ok' }]
    const prompt = textOf(body.messages[0]?.content)
    const name = Object.keys(script.agents ?? {}).find((marker) => prompt.includes(marker)) ?? 'main'
    const turn = turns[name]?.[seen[name]?.length ?? 0]
    seen[name]?.push(observe())
    if (turn === undefined) return [{ kind: 'text', text: 'The script has ended.' }]
    return typeof turn === 'function' ? turn(textOf(body.messages.at(-1)?.content)) : turn
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readBody(request)
    const url = request.url?.split('?')[0]
    if (url !== '/v1/messages') {
      sendJson(response, url === '/v1/messages/count_tokens' ? 200 : 404, { input_tokens: 100 })
      return
    }
    requests.push(body)
    const asked = JSON.parse(body) as MessagesRequest
    await sendMessage(response, asked, nextTurn(asked))
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      refuse(response, error)
    })
  })
  server.on('connect', (request, socket) => {
    strangers.push(request.url ?? '')
    // Who is refused may hang up first.
    socket.on('error', () => socket.destroy())
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    seen,
    strangers,
    close: () => closeServer(server),
  }
}

function textOf(content: Content | undefined): string {
  if (content === undefined || typeof content === 'string') return content ?? ''
  return content.map((block) => block.text ?? textOf(block.content)).join('\n')
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

/** A status that the client does not try again, so that its own output says what happened. */
function refuse(response: ServerResponse, error: unknown): void {
  if (response.headersSent) response.destroy()
  else
    sendJson(response, 400, {
      type: 'error',
      error: { type: 'invalid_request_error', message: String(error) },
    })
}

async function sendMessage(
  response: ServerResponse,
  { model, stream }: MessagesRequest,
  blocks: readonly Block[],
): Promise<void> {
  lastId += 1
  const id = String(lastId)
  const head = { id: `msg_smoke_${id}`, type: 'message', role: 'assistant', model, stop_sequence: null }
  const stopReason = blocks.some(({ kind }) => kind === 'call') ? 'tool_use' : 'end_turn'
  if (stream !== true) {
    const content = blocks
      .filter((block) => block.kind !== 'pause')
      .map((block, index) => toContent(block, `${id}_${index}`))
    sendJson(response, 200, { ...head, content, stop_reason: stopReason, usage: USAGE })
    return
  }

  const send = (type: string, fields: object): void => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`)
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  send('message_start', { message: { ...head, content: [], stop_reason: null, usage: USAGE } })
  let index = 0
  for (const block of blocks) {
    if (block.kind === 'pause') {
      await sleep(block.ms)
      continue
    }
    const content = toContent(block, `${id}_${index}`)
    const { start, delta } = toStream(content)
    send('content_block_start', { index, content_block: start })
    send('content_block_delta', { index, delta })
    send('content_block_stop', { index })
    index += 1
  }
  send('message_delta', { delta: { stop_reason: stopReason, stop_sequence: null }, usage: USAGE })
  send('message_stop', {})
  response.end()
}

type ReplyContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: object }

const toContent = (block: Exclude<Block, { kind: 'pause' }>, id: string): ReplyContent =>
  block.kind === 'text'
    ? { type: 'text', text: block.text }
    : { type: 'tool_use', id: `toolu_smoke_${id}`, name: block.tool, input: block.input }

/** A block's empty start, and all of it in one delta. */
const toStream = (content: ReplyContent): { start: object; delta: object } =>
  content.type === 'text'
    ? { start: { ...content, text: '' }, delta: { type: 'text_delta', text: content.text } }
    : {
        start: { ...content, input: {} },
        delta: { type: 'input_json_delta', partial_json: JSON.stringify(content.input) },
      }

async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}
