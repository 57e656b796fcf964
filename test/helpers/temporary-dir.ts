import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A new directory, links resolved, that is gone when the test ends. */
export function temporaryDir(): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'gates-')))
  onTestFinished(() => {
    rmSync(dir, { recursive: true, force: true })
  })
  return dir
}
