/** Programs that run the command behind them, as `test-command.ts` unwraps them. */

import { wordsOf, type Words } from './programs.ts'

export interface Wrapper {
  /** Verbs that must stand in front, such as `compose run`. */
  readonly verbs?: readonly string[]
  /** Options that take the next word. */
  readonly values?: Words
  /** Words between the options and the command: a duration, a service, a host. */
  readonly skips?: number
  /** Option whose value is a whole command line. */
  readonly line?: RegExp
  /** What is left is one command line, its words joined by this. */
  readonly joins?: ' ' | '\n'
  /** The command stands behind this word. */
  readonly until?: string
}

const CONTAINER: Pick<Wrapper, 'values' | 'skips'> = {
  skips: 1,
  values: wordsOf(`
    -e --env --env-file -v --volume -w --workdir -u --user -p --publish --name --entrypoint --network --net -l --label
    --mount --platform --memory -m --cpus --index --hostname --add-host --cap-add --device --gpus --shm-size --pull
    --tmpfs --volumes-from --link --ip --security-opt --group-add
  `),
}

const COMPOSE: readonly Wrapper[] = [
  { verbs: ['compose', 'run'], ...CONTAINER },
  { verbs: ['compose', 'exec'], ...CONTAINER },
]
const CONTAINERS: readonly Wrapper[] = [
  { verbs: ['run'], ...CONTAINER },
  { verbs: ['exec'], ...CONTAINER },
]

const ENVIRONMENT_RUN: Wrapper = {
  verbs: ['run'],
  values: wordsOf('-n --name -p --prefix --cwd -e --environment'),
}

/** The first entry whose verbs and words fit is taken. */
export const WRAPPERS: Readonly<Record<string, readonly Wrapper[] | undefined>> = {
  env: [{ values: wordsOf('-u --unset -C --chdir'), line: /^(?:-S|--split-string)$/ }],
  time: [{ values: wordsOf('-o -f --output --format') }],
  gtime: [{ values: wordsOf('-o -f') }],
  nice: [{ values: wordsOf('-n --adjustment') }],
  ionice: [{ values: wordsOf('-c -n') }],
  nohup: [{}],
  setsid: [{}],
  command: [{ values: wordsOf('-v -V') }],
  exec: [{ values: wordsOf('-a') }],
  eval: [{ joins: ' ' }],
  caffeinate: [{ values: wordsOf('-t -w') }],
  unbuffer: [{}],
  chronic: [{}],
  stdbuf: [{ values: wordsOf('-i -o -e') }],
  timeout: [{ values: wordsOf('-s --signal -k --kill-after'), skips: 1 }],
  gtimeout: [{ values: wordsOf('-s --signal -k --kill-after'), skips: 1 }],
  sudo: [{ values: wordsOf('-u --user -g --group -h -p -C -D') }],
  doas: [{ values: wordsOf('-u -C') }],
  su: [{ line: /^(?:-c|--command)$/ }],
  gosu: [{ skips: 1 }],
  chroot: [{ skips: 1 }],
  taskset: [{ skips: 1 }],
  flock: [{ values: wordsOf('-w --timeout -E'), line: /^(?:-c|--command)$/, skips: 1 }],
  faketime: [{ values: wordsOf('-f'), skips: 1 }],
  retry: [{ values: wordsOf('-t --times -d --delay -n') }],
  watch: [{ values: wordsOf('-n --interval'), joins: ' ' }],
  entr: [{}],
  xargs: [{ values: wordsOf('-n -P -L -I -d -E -s -a --max-args --max-procs --delimiter') }],
  parallel: [{ values: wordsOf('-j --jobs') }],
  find: [{ until: '-exec' }, { until: '-execdir' }],
  fd: [{ until: '-x' }, { until: '--exec' }, { until: '-X' }],
  'xvfb-run': [{ values: wordsOf('-n --server-num -s --server-args -e --error-file -f -w -p') }],
  'dbus-run-session': [{ values: wordsOf('--config-file') }],
  strace: [{ values: wordsOf('-e -o -p -s') }],
  valgrind: [{}],
  gdb: [{ until: '--args' }],
  lldb: [{ until: '--' }],
  rr: [{ verbs: ['record'] }],
  perf: [{ verbs: ['stat'], values: wordsOf('-e -r') }],
  hyperfine: [{ values: wordsOf('-w --warmup -r --runs -m -M'), joins: '\n' }],
  script: [{ line: /^-\w*c$|^--command$/ }],
  git: [{ verbs: ['bisect', 'run'] }, { verbs: ['rebase'], line: /^(?:-x|--exec)$/ }],
  ssh: [{ values: wordsOf('-i -p -l -o -F -J -L -R -D -b -c'), skips: 1, joins: ' ' }],
  npx: [{ values: wordsOf('-p --package -w --workspace --prefix'), line: /^(?:-c|--call)$/ }],
  bunx: [{ values: wordsOf('-p --package') }],
  uvx: [{ values: wordsOf('--from --with --python -p') }],
  pipx: [{ verbs: ['run'], values: wordsOf('--spec --python --pip-args') }],
  uv: [
    {
      verbs: ['run'],
      values: wordsOf(
        '--with --extra --group --python -p --package --env-file --directory --project --index',
      ),
    },
    { verbs: ['tool', 'run'], values: wordsOf('--from --with --python') },
  ],
  poetry: [{ verbs: ['run'] }],
  pipenv: [{ verbs: ['run'] }],
  pdm: [{ verbs: ['run'], values: wordsOf('-p --project') }],
  rye: [{ verbs: ['run'] }],
  pixi: [ENVIRONMENT_RUN],
  hatch: [{ verbs: ['run'] }],
  conda: [ENVIRONMENT_RUN],
  mamba: [ENVIRONMENT_RUN],
  micromamba: [ENVIRONMENT_RUN],
  bundle: [{ verbs: ['exec'] }],
  rbenv: [{ verbs: ['exec'] }],
  pyenv: [{ verbs: ['exec'] }],
  asdf: [{ verbs: ['exec'] }],
  mise: [
    { verbs: ['exec'], until: '--' },
    { verbs: ['x'], until: '--' },
  ],
  volta: [{ verbs: ['run'], values: wordsOf('--node --npm --yarn') }],
  fnm: [{ verbs: ['exec'], values: wordsOf('--using') }],
  nvm: [{ verbs: ['exec'], skips: 1 }],
  direnv: [{ verbs: ['exec'], skips: 1 }],
  corepack: [{}],
  'cross-env': [{}],
  'env-cmd': [{ values: wordsOf('-f --file -e --environments') }],
  dotenv: [{ values: wordsOf('-e -f -v -c') }],
  dotenvx: [{ verbs: ['run'], values: wordsOf('-f --env-file') }],
  doppler: [{ verbs: ['run'], values: wordsOf('-p --project -c --config'), line: /^--command$/ }],
  op: [{ verbs: ['run'], values: wordsOf('--env-file') }],
  'aws-vault': [{ verbs: ['exec'], skips: 1 }],
  foreman: [{ verbs: ['run'] }],
  heroku: [{ verbs: ['run'], values: wordsOf('-a --app'), joins: ' ' }],
  nyc: [{ values: wordsOf('-r --reporter -x -n') }],
  c8: [{ values: wordsOf('-r --reporter -x -n -o') }],
  concurrently: [{ values: wordsOf('-n --names -c --prefix-colors'), joins: '\n' }],
  'start-server-and-test': [{ skips: 2, joins: ' ' }],
  nodemon: [{ values: wordsOf('-w --watch -e --ext'), line: /^(?:-x|--exec)$/ }],
  watchexec: [{ values: wordsOf('-e --exts -w --watch -i'), joins: ' ' }],
  docker: [...COMPOSE, ...CONTAINERS],
  'docker-compose': CONTAINERS,
  podman: [...COMPOSE, ...CONTAINERS],
  nerdctl: CONTAINERS,
  kubectl: [
    { verbs: ['exec'], until: '--' },
    { verbs: ['run'], until: '--' },
  ],
  vagrant: [{ verbs: ['ssh'], line: /^(?:-c|--command)$/ }],
  fly: [{ verbs: ['ssh', 'console'], line: /^(?:-C|--command)$/ }],
  ddev: [{ verbs: ['exec'] }, {}],
  lando: [{}],
  sail: [{}],
  spring: [{}],
  busybox: [{}],
  nix: [
    { verbs: ['develop'], until: '-c' },
    { verbs: ['develop'], until: '--command' },
    { verbs: ['shell'], until: '-c' },
    { verbs: ['shell'], until: '--command' },
  ],
  'nix-shell': [{ values: wordsOf('-p --packages -A --attr'), line: /^(?:--run|--command)$/ }],
  devenv: [{ verbs: ['shell'] }],
  devbox: [{ verbs: ['run'] }],
  opam: [{ verbs: ['exec'], until: '--' }],
  stack: [{ verbs: ['exec'] }],
  cabal: [{ verbs: ['exec'] }],
}
