/**
 * What `test-command.ts` knows about programs that test, check or run code; those that run another program are in
 * `wrappers.ts`. Names are a program's file name without its extension and version.
 */

export type Words = Pick<ReadonlySet<string>, 'has'>

/**
 * A set that is made when it is first asked: there are over a hundred, and most checks ask for none.
 *
 * @param phrases those of more than one word
 */
export function wordsOf(text: string, phrases: readonly string[] = []): Words {
  let words: ReadonlySet<string> | undefined
  return { has: (word) => (words ??= new Set([...text.trim().split(/\s+/), ...phrases])).has(word) }
}

/** Test or check whenever they run. */
export const RUNNERS = wordsOf(`
  jest vitest mocha jasmine ava tap tape uvu karma testcafe nightwatch wdio bats shunit2 shellspec
  pytest py.test nosetests nose2 tox nox behave trial stestr unittest doctest
  rspec minitest cucumber gotestsum ginkgo richgo phpunit pest codecept behat paratest infection
  ctest prove busted elm-test newman hurl schemathesis pa11y
  tsc vue-tsc tsd attw eslint oxlint xo standard stylelint htmlhint jshint tslint markdownlint markdownlint-cli2
  commitlint depcruise knip svelte-check mypy pyright basedpyright pyre flake8 pylint pycodestyle pydocstyle bandit
  rubocop standardrb reek brakeman staticcheck revive gosec govulncheck phpstan psalm phpcs phpmd
  shellcheck hadolint yamllint actionlint ansible-lint cfn-lint tflint tfsec checkov kubeconform kubeval vale
  clang-tidy cppcheck cpplint ktlint detekt checkstyle swiftlint luacheck credo dialyzer
`)

/** The first argument that is no option decides, or the first two joined by a blank. */
export const VERBS: Readonly<Record<string, Words | undefined>> = {
  go: wordsOf('test vet run'),
  cargo: wordsOf('test t check c clippy run r bench tarpaulin llvm-cov semver-checks mutants', [
    'nextest run',
    'miri test',
    'miri run',
    'hack test',
    'hack check',
    'deny check',
    'insta test',
  ]),
  dotnet: wordsOf('test run vstest', ['watch test']),
  swift: wordsOf('test run'),
  xcodebuild: wordsOf('test test-without-building analyze'),
  fastlane: wordsOf('test scan'),
  'golangci-lint': wordsOf('run'),
  deno: wordsOf('test lint check run eval bench'),
  playwright: wordsOf('test'),
  cypress: wordsOf('run'),
  biome: wordsOf('check lint ci'),
  ruff: wordsOf('check'),
  ng: wordsOf('test e2e lint'),
  ember: wordsOf('test t'),
  'vue-cli-service': wordsOf('lint test:unit test:e2e'),
  'react-scripts': wordsOf('test'),
  next: wordsOf('lint'),
  astro: wordsOf('check'),
  hardhat: wordsOf('test check'),
  forge: wordsOf('test script coverage'),
  rails: wordsOf('test t test:all test:system test:models test:controllers spec runner r'),
  artisan: wordsOf('test'),
  manage: wordsOf('test check'),
  'django-admin': wordsOf('test check'),
  setup: wordsOf('test check'),
  mix: wordsOf('test credo dialyzer run coveralls lint check espec'),
  rebar3: wordsOf('eunit ct proper dialyzer xref'),
  gleam: wordsOf('test check run'),
  stack: wordsOf('test run runghc'),
  cabal: wordsOf('test run check v2-test'),
  dune: wordsOf('test runtest exec'),
  zig: new Set(['test', 'run', 'build test', 'build run']),
  dart: wordsOf('test analyze run'),
  flutter: wordsOf('test analyze drive'),
  lein: wordsOf('test midje run'),
  crystal: wordsOf('spec run eval'),
  nim: wordsOf('r check'),
  nimble: wordsOf('test run check'),
  meson: wordsOf('test'),
  bazel: wordsOf('test coverage run'),
  bazelisk: wordsOf('test coverage run'),
  buck2: wordsOf('test run'),
  pants: wordsOf('test lint check run'),
  plz: wordsOf('test run'),
  'scala-cli': wordsOf('test run'),
  coverage: wordsOf('run'),
  hatch: wordsOf('test'),
  'pre-commit': wordsOf('run'),
  lefthook: wordsOf('run'),
  terraform: wordsOf('validate test'),
  tofu: wordsOf('validate test'),
  helm: wordsOf('lint test'),
  conftest: wordsOf('test verify'),
  opa: wordsOf('test check'),
  molecule: wordsOf('test verify converge'),
  k6: wordsOf('run'),
  artillery: wordsOf('run'),
  maestro: wordsOf('test'),
  detox: wordsOf('test'),
  buf: wordsOf('lint breaking'),
  spectral: wordsOf('lint'),
  sqlfluff: wordsOf('lint'),
  dbt: wordsOf('test'),
}

/** Any argument may name a target or task; it counts when its name says so. */
export const TARGET_RUNNERS = wordsOf(`
  make gmake remake ninja samu just task go-task mage rake invoke inv fab gradle gradlew mvn mvnw mvnd ant sbt mill
  waf scons xmake turbo lerna rush moon gulp grunt jake npm-run-all run-s run-p earthly dagger doit thor phing cargo-make
  makers melos
`)

/** Verbs behind which a task's name stands. */
export const TASK_VERBS: Readonly<Record<string, Words | undefined>> = {
  deno: wordsOf('task'),
  mise: wordsOf('run r'),
  devbox: wordsOf('run'),
  poetry: wordsOf('run'),
  pdm: wordsOf('run'),
  hatch: wordsOf('run'),
  pixi: wordsOf('run'),
  rye: wordsOf('run'),
}

/** Package managers: verbs of their own, scripts by name, and programs of the project. */
export const PACKAGE_MANAGERS = wordsOf('npm yarn pnpm bun cnpm composer')

/** Short names of `npm test` and of an installation that ends with it. */
export const TEST_VERBS = wordsOf('test t tst it cit install-test install-ci-test')

/** Verbs behind which a script's name stands. */
export const SCRIPT_NAMING_VERBS = wordsOf('run run-script rum urn')

/** Verbs behind which a program stands. */
export const PROGRAM_NAMING_VERBS = wordsOf('exec x dlx')

/** Verbs that manage packages, whatever their arguments are called. */
export const PACKAGE_VERBS = wordsOf(`
  install i in ci add a remove rm uninstall un update up upgrade link unlink build pack publish init create new config
  c cache list ls outdated audit info view why explain prune dedupe rebuild start stop restart require search show
  version whoami login logout global store fetch import patch help set get approve-builds pm
`)

export interface Interpreter {
  /** Options that bring the code with them, or check a file. */
  readonly code: RegExp
  /** Options that take the next word. */
  readonly values?: Words
  /** Options that make an editor of it. */
  readonly edits?: RegExp
}

/** `-pi`, `-ne`, `-i.bak` */
const LINE_BY_LINE = /^-[0-9acFlsw]*[pni]/
const JVM_VALUES = wordsOf('-cp -classpath --class-path -p --module-path --add-modules --add-opens')

/** Run the code of a file, of their command line, or of standard input. */
export const INTERPRETERS: Readonly<Record<string, Interpreter | undefined>> = {
  node: {
    code: /^(?:-[pe]|-pe|--eval|--print|--test|--check|-c)(?:=|$)/,
    values: wordsOf('-r --require --import --loader --experimental-loader --env-file -C --conditions'),
  },
  python: { code: /^-[a-zA-Z]*c$/, values: wordsOf('-W -X') },
  ruby: { code: /^-[a-zA-Z]*[ec]$/, values: wordsOf('-I -r -C -E'), edits: LINE_BY_LINE },
  perl: { code: /^-[a-zA-Z]*[eEc]$/, values: wordsOf('-I -M'), edits: LINE_BY_LINE },
  php: { code: /^(?:-[rlf]|--run|--syntax-check|--file)$/, values: wordsOf('-d -c -S -t') },
  tsx: { code: /^(?:-[pe]|--eval|--print|--test)$/, values: wordsOf('--tsconfig -r --require --import') },
  'ts-node': { code: /^(?:-[pe]|--eval|--print)$/, values: wordsOf('-P --project -O -r --require -I') },
  'vite-node': { code: /^$/ },
  'babel-node': { code: /^(?:-[pe]|--eval)$/ },
  lua: { code: /^-e/ },
  luajit: { code: /^-e/ },
  Rscript: { code: /^(?:-e|--expr)/ },
  julia: { code: /^(?:-[eE]|--eval)$/, values: wordsOf('-L --load -p --procs -t --threads') },
  elixir: { code: /^(?:-e|--eval)$/, values: wordsOf('-r -pa -S') },
  escript: { code: /^$/ },
  java: { code: /^-jar$/, values: JVM_VALUES },
  kotlin: { code: /^(?:-e|-expression)$/, values: JVM_VALUES },
  scala: { code: /^-e$/, values: JVM_VALUES },
  groovy: { code: /^-e$/, values: JVM_VALUES },
  clojure: { code: /^(?:-e|--eval|-[XTM])/ },
  clj: { code: /^(?:-e|--eval|-[XTM])/ },
  bb: { code: /^(?:-e|--eval)$/ },
  runghc: { code: /^$/ },
  ocaml: { code: /^-e$/ },
  racket: { code: /^-e$/ },
  tclsh: { code: /^$/ },
  raku: { code: /^-e$/ },
  osascript: { code: /^-e$/ },
  pwsh: { code: /^-c(?:ommand)?$/i, values: wordsOf('-ExecutionPolicy') },
}

/** Modules of `python -m` that run no code of the project. */
export const TOOL_MODULES = wordsOf(`
  pip venv virtualenv ensurepip build wheel twine flit poetry hatch pdm http.server json.tool compileall py_compile
  zipfile tarfile gzip base64 site sysconfig pydoc idlelib webbrowser calendar this platform IPython jupyter notebook
  black isort autopep8 yapf pyupgrade pip_audit piptools pipx uv cookiecutter sphinx mkdocs
`)

/** Programs that check only with a flag; without it they rewrite files. */
export const FORMATTERS = wordsOf(`
  prettier black isort gofmt rustfmt cargo mix terraform tofu dart deno ruff dprint ktfmt clang-format zig elm-format
  alejandra stylua shfmt taplo ansible-playbook
`)
export const CHECK_FLAG =
  /^--?(?:check|c|l|list-different|check-formatted|check-only|diff|set-exit-if-changed|syntax-check|dry-run)$/

/** Command lines of their own kind, tested against the arguments joined by blanks. */
export const SPECIAL_FORMS: Readonly<Record<string, RegExp | undefined>> = {
  nx: /^(?:test|lint|e2e|typecheck)\b|^run \S+:(?:test|lint|e2e|typecheck)\b|(?:^| )(?:-t|--targets?)[ =](?:\S*,)?(?:test|lint|e2e)\b/,
  cmake: /(?:^| )(?:--target|-t)[ =]\S*(?:test|check|verify)/i,
  nix: /^flake check\b|^build \S*#checks\b/,
  R: /^CMD (?:check|BATCH)\b|(?:^| )-e /,
  nginx: /(?:^| )-t\b/,
  emacs: /ert-run-tests/,
}

/** Options between a tool and its verb or target that take the next word. */
export const VERB_VALUES: Readonly<Record<string, Words | undefined>> = {
  docker: wordsOf(
    '-c --context -H --host -f --file -p --project-name --profile --env-file --project-directory',
  ),
  'docker-compose': wordsOf('-f --file -p --project-name --profile --env-file'),
  podman: wordsOf('-f --file -p --project-name'),
  kubectl: wordsOf('-n --namespace --context --kubeconfig'),
  git: wordsOf('-C -c'),
  go: wordsOf('-C'),
  cargo: wordsOf('--manifest-path --config -C --color -Z'),
  swift: wordsOf('--package-path --scratch-path'),
  npm: wordsOf('--prefix -w --workspace -C'),
  pnpm: wordsOf('-C --dir -F --filter --prefix'),
  yarn: wordsOf('--cwd'),
  bun: wordsOf('--cwd -F --filter'),
  composer: wordsOf('-d --working-dir'),
  uv: wordsOf('--directory --project'),
  poetry: wordsOf('-C --directory -P --project'),
  make: wordsOf('-C --directory -f --file --makefile -I -o -W'),
  gmake: wordsOf('-C --directory -f --file --makefile'),
  ninja: wordsOf('-C -f -j -k -l'),
  just: wordsOf('-f --justfile -d --working-directory'),
  task: wordsOf('-d --dir -t --taskfile'),
  rake: wordsOf('-f --rakefile -I -C'),
  gradle: wordsOf('-p --project-dir -b -c -x --exclude-task -I --tests --console'),
  gradlew: wordsOf('-p --project-dir -b -c -x --exclude-task -I --tests --console'),
  mvn: wordsOf('-f --file -pl --projects -s --settings -P -T -rf'),
  mvnw: wordsOf('-f --file -pl --projects -s --settings -P -T -rf'),
  nix: wordsOf('--extra-experimental-features --experimental-features'),
  xcodebuild: wordsOf(
    '-scheme -project -workspace -destination -configuration -sdk -derivedDataPath -testPlan',
  ),
  forge: wordsOf('--root'),
  zig: wordsOf('--build-file'),
}

/** Flags with which a tool shows what it would do, or only compiles. */
export const SHOWS_ONLY: Readonly<Record<string, RegExp | undefined>> = {
  make: /^-n$/,
  gmake: /^-n$/,
  ninja: /^-n$/,
  rake: /^(?:-n|-T|-P)$/,
  just: /^-(?:n|l)$/,
  gradle: /^-m$/,
  gradlew: /^-m$/,
  ctest: /^(?:-N|--show-only)/,
  go: /^-(?:c|n|list)$/,
  mvn: /^-D(?:skipTests|maven\.test\.skip)(?!=false)/,
  mvnw: /^-D(?:skipTests|maven\.test\.skip)(?!=false)/,
}
