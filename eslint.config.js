import { defineConfig, globalIgnores } from 'eslint/config'
import tseslint from 'typescript-eslint'

/** Only `src/entry` sees the process; everything below gets what it needs handed down. */
const PROCESS_STATE = {
  selector:
    'MemberExpression[object.name="process"][property.name=/^(env|exit|exitCode|argv|stdin|stdout|stderr|cwd)$/]',
  message: 'Only src/entry touches the process; take it as an argument.',
}
const NO_DEFAULT_EXPORT = { selector: 'ExportDefaultDeclaration', message: 'Export by name.' }
/** What decides gets times, randomness and the environment as arguments. */
const IMPURE = [
  {
    selector: 'NewExpression[callee.name="Date"][arguments.length=0]',
    message: 'Take the time as an argument.',
  },
  {
    selector: 'MemberExpression[object.name=/^(Date|performance)$/][property.name="now"]',
    message: 'Take the time as an argument.',
  },
  {
    selector: 'MemberExpression[object.name="Math"][property.name="random"]',
    message: 'Take randomness as an argument.',
  },
  {
    selector: 'MemberExpression[object.name="process"]',
    message: 'Deciding reads nothing from the process.',
  },
]

export default defineConfig(
  globalIgnores(['dist/', 'build/', 'coverage/', '.dist-*/', '.build-*/', 'fixtures-repos/']),
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      eqeqeq: 'error',
      'max-lines': ['error', 280],
      'no-control-regex': 'error',
      'no-else-return': ['error', { allowElseIf: false }],
      'no-empty': 'error',
      'no-param-reassign': 'error',
      'no-restricted-syntax': ['error', NO_DEFAULT_EXPORT],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // A string is spread to get its code points, which is what paths and prompts are counted in.
      '@typescript-eslint/no-misused-spread': 'off',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrors: 'all' },
      ],
      '@typescript-eslint/prefer-readonly': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/entry/**'],
    rules: { 'no-restricted-syntax': ['error', NO_DEFAULT_EXPORT, PROCESS_STATE] },
  },
  {
    files: ['src/core/**/*.ts', 'src/transcript/**/*.ts', 'src/policy/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', NO_DEFAULT_EXPORT, ...IMPURE] },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/require-await': 'off',
      // vitest's asymmetric matchers are `any`.
      '@typescript-eslint/no-unsafe-assignment': 'off',
    },
  },
  { files: ['*.config.ts', '**/*.d.ts'], rules: { 'no-restricted-syntax': 'off' } },
)
