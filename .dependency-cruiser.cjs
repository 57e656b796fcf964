/** Who may import whom, as docs/development.md explains it. Rules read: these files must not import those. */

const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })
const layer = (...names) => `^src/(${names.join('|')})/`
/** Packages without which one file stands for the whole program, by the way in which they resolve. */
const nodeModule = (name) => `(^|node_modules/)${name}(/|$)`
const CHILD_PROCESS = '^(node:)?child_process$'
const OUTSIDE_WORLD =
  '^(node:)?(fs|fs/promises|child_process|os|net|http|https|process|worker_threads|timers/promises)$'

module.exports = {
  forbidden: [
    forbid(
      'core-is-the-bottom',
      'core imports nothing of ours',
      { path: layer('core') },
      { path: '^src/(?!core/)' },
    ),
    forbid(
      'core-does-no-io',
      'core is values and rules about values',
      { path: layer('core') },
      { path: OUTSIDE_WORLD },
    ),
    forbid(
      'deciding-is-pure',
      'transcript and policy get times, environment and file contents as arguments',
      { path: layer('transcript', 'policy') },
      { path: OUTSIDE_WORLD },
    ),
    forbid('transcript-layer', '', { path: layer('transcript') }, { path: '^src/(?!core/|transcript/)' }),
    forbid('policy-layer', '', { path: layer('policy') }, { path: '^src/(?!core/|transcript/|policy/)' }),
    forbid('native-layer', '', { path: layer('native') }, { path: '^src/(?!core/|native/)' }),
    forbid(
      'git-layer',
      'git and store do not know each other',
      { path: layer('git') },
      { path: '^src/(?!core/|native/|git/)' },
    ),
    forbid(
      'store-layer',
      'git and store do not know each other',
      { path: layer('store') },
      { path: '^src/(?!core/|native/|store/)' },
    ),
    forbid(
      'effects-layer',
      '',
      { path: layer('effects') },
      { path: '^src/(?!core/|native/|git/|store/|effects/)' },
    ),
    forbid(
      'judge-layer',
      'judging changes nothing: it knows git and the rules, not the state root, and no effects',
      { path: layer('judge') },
      { path: '^src/(?!core/|transcript/|policy/|native/|git/|judge/)' },
    ),
    forbid(
      'hook-is-on-top',
      'hook and cli do not know each other',
      { path: layer('hook') },
      { path: layer('cli', 'entry') },
    ),
    forbid(
      'cli-is-on-top',
      'hook and cli do not know each other',
      { path: layer('cli') },
      { path: layer('hook', 'entry') },
    ),
    forbid('entry-is-thin', '', { path: layer('entry') }, { path: '^src/(?!core/|hook/|cli/|entry/)' }),
    forbid(
      'nodegit-home',
      '',
      { path: '^src/', pathNot: '^src/git/nodegit\\.ts$' },
      { path: nodeModule('nodegit') },
    ),
    forbid(
      'child-process-home',
      'plumbing is where git is started; cli/shell plays the client and starts registered commands',
      { path: '^src/', pathNot: '^src/(git/plumbing|cli/shell)\\.ts$' },
      { path: CHILD_PROCESS },
    ),
    forbid('no-cycles', '', {}, { circular: true }),
    forbid('no-orphans', '', { orphan: true, path: '^src/', pathNot: '^src/entry/|\\.d\\.ts$' }, {}),
    forbid('resolvable', '', {}, { couldNotResolve: true }),
    forbid(
      'no-dev-dependencies',
      '',
      { path: '^src/' },
      { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
}
