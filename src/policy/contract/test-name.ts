/** What the name of a script, target or task says that it does. */

/** Parts of a name that say that it tests, checks or reproduces. */
const TEST_PART =
  /^(?:(?:unit|self|smoke|run|integration|functional|acceptance|regression|api|ui|all|py|load|fuzz)?tests?|test(?:all|suite|er|ing|only)|specs?|repro(?:s|duce|ducer|duction)?|(?:type|pre|spell|self|health)?checks?|verify|verif(?:ier|ication)|validate|(?:es|style|py)?lint(?:er|s|ing)?|e2e|smoke|coverage|vitest|jest|mocha|rspec|phpunit|tsc|clippy|mypy)$/

/** Parts of a name that say that it only prepares. */
const PREPARING_PART =
  /^(?:builds?|compile|install|installs|installer|uninstall|clean|clear|setup|deps|dependencies|assemble|bundle|publish|deploy|generate|codegen|gen|prepare|bootstrap|provision|download|fetch|scaffold|archive)$/

/** Whether a name has a part that says so and none that says it only prepares: `test:unit`, `:app:testDebug`. */
export const saysTest = (name: string): boolean => {
  const parts = partsOf(name)
  return parts.some((part) => TEST_PART.test(part)) && !parts.some((part) => PREPARING_PART.test(part))
}

/** Whether a script's own name, without its folders, says that it builds, installs or cleans. */
export const saysPreparing = (path: string): boolean =>
  partsOf(path.slice(path.lastIndexOf('/') + 1)).some((part) => PREPARING_PART.test(part))

/** Lower-case words of a name: `runTests_2.sh` has `run`, `tests` and `sh`. */
const partsOf = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .map((part) => part.replace(/^(\D+)\d+$/, '$1'))
    .filter((part) => part !== '' && part !== 'sh')
