/** Required by a hook: says on standard error how large it was at most, in KiB. */
const { readFileSync } = require('node:fs')

process.on('exit', () => {
  process.stderr.write(
    `peak ${/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? ''}\n`,
  )
})
