import { fileURLToPath } from 'node:url';

// tsx reads tsconfig.json where it starts, and that one does not include Stryker's copy of the sources.
process.env.TSX_TSCONFIG_PATH = fileURLToPath(new URL('tsconfig.mutation.json', import.meta.url));

/**
 * Mutation tests of what decides who may do what: sign-in, address rules, cookies and limits. `npm run mutation` changes
 * one rule at a time and expects a test to fail; below 85 % the run fails. A few files alone:
 * `npm run mutation -- --mutate src/services/auth/session-cookie.ts`.
 */
export default {
  mutate: [
    'src/services/auth/**/*.ts',
    'src/middleware/limits/*.ts',
    'src/{http,middleware}/{cross-site,same-origin,security-headers,read-only,express-cookies,loopback-only}.ts',
    'src/services/access/*.ts',
  ],
  testRunner: 'mocha',
  // Stryker loads Mocha itself, so what .mocharc.json gives to Node stands here again.
  testRunnerNodeArgs: ['--import=tsx', '--no-experimental-require-module'],
  mochaOptions: {
    config: '.mocharc.json',
    spec: [
      'tests/unit/services/{auth,access}/**/*.test.ts',
      'tests/unit/middleware/**/*.test.ts',
      'tests/unit/identifiers/*.test.ts',
      'tests/integration/auth/*.test.ts',
      'tests/integration/http/{access,headers,call-limits}.test.ts',
    ],
    // It uses the compiled package, which no mutation reaches.
    ignore: ['tests/integration/auth/host-application.test.ts'],
  },
  coverageAnalysis: 'perTest',
  concurrency: Number(process.env.STRYKER_CONCURRENCY ?? 2),
  timeoutMS: 10_000,
  thresholds: { high: 95, low: 85, break: 85 },
  reporters: ['clear-text', 'progress', 'html'],
  clearTextReporter: { allowColor: false, reportTests: false, allowEmojis: false },
  htmlReporter: { fileName: 'build/mutation/index.html' },
  tempDirName: 'stryker-tmp',
  ignorePatterns: ['docs', 'coverage', 'build/dist', 'build/mutation'],
};
