import js from '@eslint/js';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  {
    ignores: [
      'build/',
      'coverage/',
      'bench-results/',
      'node_modules/',
      'stryker-tmp/',
      'tests/slow/node_modules/',
      'examples/sveltekit/',
    ],
  },
  js.configs.recommended,
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      eqeqeq: 'error',
      'no-console': 'error',
      'no-control-regex': 'off',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // A branded type and its parser share one name on purpose: `RecordId` the type, `RecordId(…)` the parser.
      'no-redeclare': 'off',
    },
  },
  {
    // Only src/server/config reads the environment.
    files: ['src/**/*.{ts,tsx}'],
    ignores: ['src/server/config/**'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Read the environment in src/server/config only.' },
      ],
    },
  },
  {
    // AUTH-05: a guessable number never becomes a secret.
    files: [
      'src/records/**',
      'src/services/**',
      'src/gateways/**',
      'src/http/middleware/**',
      'src/controllers/**',
    ],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Read the environment in src/server/config only.' },
        {
          object: 'Math',
          property: 'random',
          message: 'Use node:crypto: this number could become a secret.',
        },
      ],
    },
  },
  {
    // The bundle gives a package in CommonJS nothing but its default export when it is imported late; Node gives names, too.
    files: ['src/**/*.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector:
            'VariableDeclarator[init.type="AwaitExpression"][init.argument.type="ImportExpression"][init.argument.source.value=/^(?!\\.|node:)/] > ObjectPattern > Property[key.name!="default"]',
          message: 'Take the default export: names do not survive the bundle.',
        },
        // OPS-06: a stream that fails before its reader is attached ends the process.
        ...[
          'NewExpression[callee.name=/^(PassThrough|Transform|Duplex|Readable|Writable)$/]',
          'CallExpression[callee.name=/^(busboy|create(Gunzip|Gzip|Inflate|Unzip|Brotli\\w+|ReadStream|WriteStream))$/]',
          'CallExpression[callee.property.name=/^create(ReadStream|WriteStream)$/]',
        ].map((made) => ({
          selector: `:not(CallExpression[callee.name="heard"]) > ${made}`,
          message: 'Give it a listener for errors from its first moment: heard(…).',
        })),
        {
          selector:
            'ClassDeclaration[superClass.name=/^(PassThrough|Transform|Duplex|Readable|Writable)$/]:not(:has(CallExpression[callee.name="heard"] > ThisExpression))',
          message: 'Give it a listener for errors in its constructor: heard(this).',
        },
      ],
    },
  },
  {
    // Everything in a page is escaped: nothing may go past the template library.
    files: ['src/pages/**/*.tsx'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']",
          message: 'Write elements: what is put in is escaped.',
        },
        {
          selector: "JSXAttribute[name.name='style']",
          message: 'The policy of the pages forbids inline styles.',
        },
      ],
    },
  },
  {
    files: ['tests/**/*.ts'],
    rules: {
      // chai's assertions are expressions: expect(x).to.be.true
      '@typescript-eslint/no-unused-expressions': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/require-await': 'off',
      'no-console': 'off',
    },
  },
  {
    files: ['**/*.js', '**/*.cjs', '**/*.mjs'],
    ...tseslint.configs.disableTypeChecked,
    languageOptions: {
      ...tseslint.configs.disableTypeChecked.languageOptions,
      globals: {
        process: 'readonly',
        module: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        URLSearchParams: 'readonly',
        Buffer: 'readonly',
        fetch: 'readonly',
      },
    },
    rules: { ...tseslint.configs.disableTypeChecked.rules, 'no-console': 'off' },
  },
  {
    // They run in the browser.
    files: ['src/pages/assets/*.js'],
    languageOptions: {
      globals: Object.fromEntries(
        ['document', 'window', 'fetch', 'DOMParser', 'EventSource', 'Image', 'FormData', 'location'].map(
          (name) => [name, 'readonly'],
        ),
      ),
    },
  },
);
