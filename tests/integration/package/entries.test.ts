import { expect } from 'chai';
import { readFileSync } from 'node:fs';

const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  exports: Record<string, { default: string } | string>;
};

/** The exports of each public entry. A change of a list changes what users can import. */
const ENTRIES: Readonly<Record<string, readonly string[]>> = {
  './hooks': [
    'createAuthRouter',
    'currentSession',
    'problemHandler',
    'requireScope',
    'requireSession',
    'sessionHook',
  ],
  './sveltekit': ['problemOf', 'sessionHandle'],
  './service': ['createServiceClient'],
  './logic': ['FieldLogic', 'Logic', 'where'],
  './sandbox': ['startSandbox'],
  './validators': ['checkRequestBody', 'validateMagicUrlLogin', 'validateSignupEmail', 'validateUserId'],
  '.': [
    'AuditFile',
    'AuditTrail',
    'CallerViews',
    'SCOPES',
    'beginShutdown',
    'createApiKey',
    'createApp',
    'createAuthService',
    'createHttpServer',
    'createRedcapKey',
    'hashApiKey',
    'loadPolicyFiles',
  ],
  './client': [
    'DEFAULT_RESILIENCE',
    'DEFAULT_TIMEOUTS',
    'FieldLogic',
    'Logic',
    'collectStreamBuffers',
    'createCrfClient',
    'createServiceClient',
    'where',
  ],
};

/** Errors and identifiers, which both `.` and `./client` export. */
const isShared = (name: string): boolean =>
  /Error$|_PATTERN$|_MIN_LENGTH$|^PROBLEMS$|^is[A-Z]/.test(name) ||
  ['ApiToken', 'ApiUrl', 'Email', 'EventName', 'FieldName', 'InstrumentName', 'RecordId', 'UserId'].includes(
    name,
  );

describe('The package, imported by its public names', () => {
  it('has exactly the entries tested here', () => {
    const code = Object.entries(manifest.exports).filter(([, target]) => typeof target === 'object');

    expect(code.map(([entry]) => entry).sort()).to.deep.equal(Object.keys(ENTRIES).sort());
  });

  for (const [entry, names] of Object.entries(ENTRIES)) {
    it(`exports exactly the documented names from crf-service${entry.slice(1)}`, async () => {
      // By the name of the package, as a user's program imports it: through `exports` and the compiled code.
      const module = (await import(`crf-service${entry.slice(1)}`)) as Record<string, unknown>;
      const own = Object.keys(module).filter((name) => !isShared(name));

      const expected = entry === '.' ? [...names, ...(ENTRIES['./client'] ?? [])] : names;
      expect(own.sort()).to.deep.equal([...expected].sort());
    });
  }

  it('loads neither Express nor tsoa nor Appwrite in ./client', async () => {
    const { execFileSync } = await import('node:child_process');
    const script = `
      import { createRequire } from 'node:module';
      const require = createRequire(process.cwd() + '/package.json');
      await import('crf-service/client');
      console.log(Object.keys(require.cache).join('\\n'));
      console.log(process.moduleLoadList.filter((name) => name.includes('node_modules')).join('\\n'));
    `;
    const loaded = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
    });

    expect(loaded).to.not.match(/node_modules\/(express|@tsoa|node-appwrite)\//);
  });
});
