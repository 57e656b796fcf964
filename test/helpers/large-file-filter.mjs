/**
 * A filter driver like those of large-file stores: `clean` puts the content into a folder and answers a pointer, `smudge`
 * answers the content of a pointer, `process` does both for as many files as git asks for, by git's long-running protocol.
 */
import { createHash } from 'node:crypto'
import { readFileSync, readSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'

const [store, mode] = process.argv.slice(2)

function clean(bytes) {
  const id = createHash('sha256').update(bytes).digest('hex')
  writeFileSync(join(store, id), bytes)
  return Buffer.from(`pointer ${id}\n`)
}

function smudge(bytes) {
  const id = /^pointer ([0-9a-f]{64})\n$/.exec(bytes.toString('latin1'))?.[1]
  return id === undefined ? bytes : readFileSync(join(store, id))
}

const CONVERT = { clean, smudge }

function readFully(size) {
  const bytes = Buffer.alloc(size)
  for (let at = 0; at < size;) {
    const got = readSync(0, bytes, at, size - at, null)
    if (got === 0) return undefined
    at += got
  }
  return bytes
}

/** @returns the packets up to the next flush; undefined at the end of input */
function readPackets() {
  const packets = []
  for (;;) {
    const head = readFully(4)
    if (head === undefined) return undefined
    const size = parseInt(head.toString(), 16)
    if (size === 0) return packets
    packets.push(readFully(size - 4))
  }
}

function writePackets(...packets) {
  for (const packet of packets) {
    const bytes = Buffer.from(packet)
    writeSync(1, Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, '0')), bytes]))
  }
  writeSync(1, '0000')
}

function serve() {
  readPackets()
  writePackets('git-filter-server\n', 'version=2\n')
  readPackets()
  writePackets('capability=clean\n', 'capability=smudge\n')
  for (let fields = readPackets(); fields !== undefined; fields = readPackets()) {
    const command = /^command=(.*)\n$/.exec(fields[0].toString())[1]
    const content = CONVERT[command](Buffer.concat(readPackets()))
    writePackets('status=success\n')
    const packets = []
    for (let at = 0; at < content.length; at += 65_000) packets.push(content.subarray(at, at + 65_000))
    writePackets(...packets)
    writePackets()
  }
}

if (mode === 'process') serve()
else writeSync(1, CONVERT[mode](readFileSync(0)))
