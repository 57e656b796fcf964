import { existsSync } from 'node:fs'

import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // nodegit cannot be loaded in worker threads.
    pool: 'forks',
    maxWorkers: 2,
    setupFiles: existsSync('test/setup.ts') ? ['test/setup.ts'] : [],
    // A hook call is a process; a test of one makes a repository and several calls.
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
