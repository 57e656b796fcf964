import { closeSync, constants, openSync, writeFileSync } from 'node:fs'

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_TRUNC, O_WRONLY } = constants

/** Adds to a file of ours, mode 0600. @throws ELOOP when somebody put a link there */
export function append(path: string, text: string): void {
  write(path, O_APPEND, text)
}

/** Gives a file of ours other content and leaves it the same file. @throws ELOOP as {@link append} */
export function refill(path: string, text: string): void {
  write(path, O_TRUNC, text)
}

/** Neither follows a link nor waits for the reader of a pipe. */
function write(path: string, how: number, text: string): void {
  const file = openSync(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | how, 0o600)
  try {
    writeFileSync(file, text)
  } finally {
    closeSync(file)
  }
}
