import { fileURLToPath } from 'node:url';

// tsx reads tsconfig.json where it starts, and that one does not include Stryker's copy of the sources.
process.env.TSX_TSCONFIG_PATH = fileURLToPath(new URL('tsconfig.mutation.json', import.meta.url));

/**
 * What decides who may do what and how often, with the tests that hold it. Only tests that take seconds together and need
 * no built package: a mutant that survives has been run against every test that reaches it. Mocha silently skips a `spec`
 * that has braces and no `*`.
 */
const PARTS = {
  access: {
    mutate: [
      'src/services/access/*.ts',
      'src/domain/identifiers/scope.ts',
      'src/server/config/{api-keys,open-mode}.ts',
    ],
    spec: [
      'tests/unit/services/access/*.test.ts',
      'tests/unit/server/config/*.test.ts',
      'tests/unit/domain/identifiers/check-options.test.ts',
      'tests/integration/http/access.test.ts',
    ],
  },
  // Which scopes a route requires is in its `@Security`, which the build reads: tests/support/route-scopes.ts holds it.
  scopes: {
    mutate: ['src/app/authentication.ts', 'src/http/open-change.ts', 'src/services/design/design-service.ts'],
    spec: [
      'tests/integration/http/access.test.ts',
      'tests/integration/http/open-behind-proxy.test.ts',
      'tests/integration/auth/sign-in.test.ts',
    ],
  },
  admin: {
    mutate: [
      'src/server/admin-server.ts',
      'src/http/middleware/observe-requests.ts',
      'src/http/host-header.ts',
    ],
    spec: [
      'tests/unit/server/admin-server.test.ts',
      'tests/unit/http/middleware/observe-requests.test.ts',
      'tests/unit/http/host-header.test.ts',
      'tests/integration/http/unreadable-requests.test.ts',
    ],
  },
  audit: {
    mutate: ['src/services/audit/*.ts', 'src/http/middleware/audit/*.ts', 'src/http/app-state.ts'],
    spec: [
      'tests/unit/{services,middleware,gateways}/audit/*.test.ts',
      'tests/integration/operations/audit-log.test.ts',
      'tests/integration/operations/audited-routes.test.ts',
    ],
  },
  auth: {
    mutate: ['src/services/auth/*.ts'],
    spec: [
      'tests/unit/services/auth/**/*.test.ts',
      'tests/unit/validators/validators.test.ts',
      'tests/contract/shared-state/in-memory.test.ts',
    ],
  },
  domain: {
    mutate: ['src/services/auth/address/*.ts', 'src/domain/identifiers/email.ts'],
    spec: [
      'tests/unit/{identifiers,validators}/*.test.ts',
      'tests/unit/services/auth/{address/*,other-account}.test.ts',
    ],
  },
  cookie: {
    mutate: [
      'src/http/{express-cookies,read-only,same-origin,security-headers}.ts',
      'src/http/middleware/{cross-site,loopback-only,security-headers}.ts',
    ],
    spec: [
      'tests/unit/http/*.test.ts',
      'tests/integration/http/headers.test.ts',
      'tests/integration/http/loopback-only.test.ts',
      'tests/integration/http/open-behind-proxy.test.ts',
      'tests/integration/auth/page-forms.test.ts',
      'tests/integration/auth/sign-in.test.ts',
    ],
  },
  limiter: {
    mutate: ['src/http/middleware/limits/*.ts', 'src/http/network-of-address.ts'],
    spec: ['tests/unit/http/middleware/limits/*.test.ts', 'tests/unit/http/network-of-address.test.ts'],
  },
  redis: {
    mutate: ['src/gateways/redis/redis-{limits,key-value-store,idempotency-store}.ts'],
    spec: ['tests/contract/shared-state/{idempotency-in-redis,in-redis,redis-away,replica-gone}*.test.ts'],
  },
  summary: {
    mutate: [
      'src/services/summary/{small-cells,merged-periods,study-release,small-distributions,distribution-tally}.ts',
    ],
    spec: ['tests/unit/services/summary/*.test.ts'],
  },
  'try-file': {
    mutate: ['src/pages/try-file/try-file-router.ts', 'src/http/form-file.ts', 'src/pages/viewer.ts'],
    spec: [
      'tests/integration/http/try-file.test.ts',
      'tests/integration/http/try-file-access.test.ts',
      'tests/integration/http/form-uploads.test.ts',
      'tests/integration/http/open-behind-proxy.test.ts',
      'tests/integration/operations/slow-senders.test.ts',
    ],
  },
  idempotency: {
    mutate: ['src/services/idempotency/*.ts', 'src/services/record-writer.ts'],
    spec: [
      'tests/unit/services/idempotency/*.test.ts',
      'tests/unit/records/import/{audit-notes,calls-at-once,record-writer}*.test.ts',
    ],
  },
};

/**
 * Mutation tests: `npm run mutation` changes one rule at a time and expects a test to fail; below 85 % the run fails. It
 * takes hours. One part: `MUTATION_PART=access npm run mutation`; one file of it: add `-- --mutate FILE`.
 */
const { MUTATION_PART: only, STRYKER_CONCURRENCY: concurrency = '2' } = process.env;
const parts = Object.entries(PARTS).flatMap(([name, part]) =>
  [undefined, name].includes(only) ? [part] : [],
);
if (parts.length === 0) throw new Error(`MUTATION_PART must be one of ${Object.keys(PARTS).join(', ')}.`);

export default {
  mutate: parts.flatMap(({ mutate }) => mutate),
  testRunner: 'mocha',
  // Stryker loads Mocha itself, so what .mocharc.json gives to Node stands here again.
  testRunnerNodeArgs: ['--import=tsx', '--no-experimental-require-module'],
  mochaOptions: { config: '.mocharc.json', spec: parts.flatMap(({ spec }) => spec) },
  coverageAnalysis: 'perTest',
  concurrency: Number(concurrency),
  timeoutMS: 10_000,
  thresholds: { high: 95, low: 85, break: 85 },
  reporters: ['clear-text', 'progress', 'html', 'json'],
  clearTextReporter: { allowColor: false, reportTests: false, allowEmojis: false },
  jsonReporter: { fileName: `build/mutation/${only ?? 'all'}.json` },
  htmlReporter: { fileName: `build/mutation/${only ?? 'all'}.html` },
  tempDirName: 'stryker-tmp',
  ignorePatterns: ['coverage', 'build/dist', 'build/mutation'],
};
