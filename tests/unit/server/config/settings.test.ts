import { expect } from 'chai';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SETTINGS } from '../../../../src/server/config/all-settings.js';
import type { Setting } from '../../../../src/server/config/setting.js';
import { DEFAULT_RESILIENCE } from '../../../../src/gateways/redcap/resilience/resilience-options.js';
import { loadCommandSettings, loadSettings } from '../../../../src/server/config/settings.js';
import { configurationPage, environmentExample } from '../../../../scripts/configuration-table.js';
import type { ConfigurationError } from '../../../../src/domain/errors/operator-errors.js';
import { printed } from '../../../support/printed.js';

const TOKEN = '0123456789ABCDEF0123456789ABCDEF';
const capture = { CAPTURE_API_URL: 'https://redcap.example.org/api', CAPTURE_API_TOKEN: TOKEN };
const appwrite = {
  APPWRITE_ENDPOINT: 'https://cloud.example.org/v1',
  APPWRITE_PROJECT_ID: 'project',
  APPWRITE_API_KEY: 'standard_SENTINEL',
  LOGIN_URL: 'https://crf.example.org/login',
  ALLOWED_DOMAINS_REGEXP: 'example\\.org',
};
const apiKey = `portal:${'a'.repeat(64)}:project:read+records:read`;

/** Returns the names of the settings that are refused. */
function refused(environment: Record<string, string>): string[] {
  try {
    loadSettings(environment);
  } catch (error) {
    return (error as ConfigurationError).errors.map(({ field }) => field);
  }
  return [];
}

describe('loadSettings', () => {
  it('uses the sandbox, open on loopback, when nothing is set', () => {
    const settings = loadSettings({});

    expect(settings.capture).to.be.undefined;
    expect(settings.app.access.allowAnonymous).to.be.true;
    expect(settings.server).to.deep.equal({ port: 3000, host: '127.0.0.1' });
    expect(settings.project.imports.recordIdMinLength).to.equal(20);
  });

  it('treats an empty variable as unset', () => {
    expect(loadSettings({ CAPTURE_API_URL: '', PORT: ' ' }).server.port).to.equal(3000);
  });

  it('normalizes the URL of the API', () => {
    expect(loadSettings(capture).capture?.url).to.equal('https://redcap.example.org/api/');
  });

  it('OPS-05: reports all mistakes at once, by name, without values', () => {
    const broken = {
      CAPTURE_API_URL: 'SENTINEL-url',
      CAPTURE_API_TOKEN: 'SENTINEL-token',
      PORT: 'SENTINEL-port',
      LOG_LEVEL: 'SENTINEL-level',
      API_KEYS: 'SENTINEL-keys',
      TRUST_PROXY: 'true',
      RECORD_ID_MIN_LENGTH: '0',
      HOST: '0.0.0.0',
    };

    expect(refused(broken)).to.include.members(Object.keys(broken).filter((name) => name !== 'HOST'));
    expect(() => loadSettings(broken))
      .to.throw()
      .that.satisfies((error: Error) => !printed(error).includes('SENTINEL'));
  });

  /** What the image sets, and the one setting that shows its sandbox. */
  const sandboxInContainer = { NODE_ENV: 'production', HOST: '0.0.0.0', SANDBOX: 'true' };
  const matrix: readonly [string, Record<string, string>, string[]][] = [
    ['a URL without a token', { CAPTURE_API_URL: capture.CAPTURE_API_URL }, ['CAPTURE_API_TOKEN']],
    ['a token without a URL', { CAPTURE_API_TOKEN: TOKEN }, ['CAPTURE_API_URL']],
    ['the sandbox in production', { NODE_ENV: 'production' }, ['CAPTURE_API_URL', 'API_KEYS']],
    ['the sandbox that is asked for in a container', { ...sandboxInContainer }, []],
    [
      'a sandbox that is asked for, behind a proxy',
      { ...sandboxInContainer, TRUST_PROXY: '1' },
      ['API_KEYS'],
    ],
    ['a sandbox beside a REDCap', { ...sandboxInContainer, ...capture }, ['SANDBOX']],
    ['a sandbox beside a token', { ...sandboxInContainer, CAPTURE_API_TOKEN: TOKEN }, ['SANDBOX']],
    ['a sandbox beside an Appwrite', { ...sandboxInContainer, ...appwrite }, ['SANDBOX']],
    ['a sandbox that is neither on nor off', { SANDBOX: 'yes' }, ['SANDBOX']],
    ['an open sandbox behind a proxy', { TRUST_PROXY: '1' }, ['API_KEYS']],
    ['open mode on another host', { HOST: '0.0.0.0' }, ['HOST']],
    ['open mode on another host with ALLOW_ANONYMOUS', { HOST: '0.0.0.0', ALLOW_ANONYMOUS: 'true' }, []],
    ['closed mode on another host', { HOST: '0.0.0.0', API_KEYS: apiKey }, []],
    ['IPv6 loopback', { HOST: '::1' }, []],
    ['RATE-03: trust in every proxy', { TRUST_PROXY: 'true', API_KEYS: apiKey }, ['TRUST_PROXY']],
    [
      'RATE-03: a network of all addresses as the proxy',
      { TRUST_PROXY: '0.0.0.0/0', API_KEYS: apiKey },
      ['TRUST_PROXY'],
    ],
    ['RATE-03: the same in IPv6', { TRUST_PROXY: '10.0.0.0/8,::/0', API_KEYS: apiKey }, ['TRUST_PROXY']],
    [
      'RATE-03: proxies by network',
      { TRUST_PROXY: 'loopback, 10.0.0.0/8, 2001:db8::/32', API_KEYS: apiKey },
      [],
    ],
    [
      'incomplete sign-in settings',
      { ...capture, APPWRITE_ENDPOINT: appwrite.APPWRITE_ENDPOINT },
      ['APPWRITE_PROJECT_ID', 'APPWRITE_API_KEY', 'LOGIN_URL', 'ALLOWED_DOMAINS_REGEXP'],
    ],
    [
      'MAIL-07: sign-in without an allow-list',
      { ...capture, ...appwrite, ALLOWED_DOMAINS_REGEXP: '' },
      ['ALLOWED_DOMAINS_REGEXP'],
    ],
    [
      'COOK-04: a plain http login in production',
      { ...capture, ...appwrite, NODE_ENV: 'production', LOGIN_URL: 'http://127.0.0.1/login' },
      ['LOGIN_URL'],
    ],
    [
      'COOK-04: a plain http login on another host',
      { ...capture, ...appwrite, LOGIN_URL: 'http://crf.example.org/login' },
      ['LOGIN_URL'],
    ],
    [
      'COOK-04: a plain http login on loopback in development',
      { ...capture, ...appwrite, LOGIN_URL: 'http://localhost:3000/login' },
      [],
    ],
    [
      'OPS-05: an endpoint and a login URL that createAuthService refuses',
      {
        ...capture,
        ...appwrite,
        APPWRITE_ENDPOINT: 'https://appwrite.example.org/v1?x=1',
        LOGIN_URL: 'https://crf.example.org\\login',
      },
      ['APPWRITE_ENDPOINT', 'LOGIN_URL'],
    ],
    [
      'an API key as long as createAuthService accepts',
      { ...capture, ...appwrite, APPWRITE_API_KEY: `standard_${'a'.repeat(2039)}` },
      [],
    ],
    [
      'a project id and an API key that createAuthService refuses',
      {
        ...capture,
        ...appwrite,
        APPWRITE_PROJECT_ID: 'a'.repeat(129),
        APPWRITE_API_KEY: `standard_${'a'.repeat(2040)}`,
      },
      ['APPWRITE_PROJECT_ID', 'APPWRITE_API_KEY'],
    ],
    ['an allow-list for the sandbox', { ALLOWED_DOMAINS_REGEXP: 'example\\.com' }, []],
    ['a scope that does not exist', { SESSION_SCOPES: 'records:erase' }, ['SESSION_SCOPES']],
    ['the same key twice', { API_KEYS: `${apiKey},${apiKey}` }, ['API_KEYS']],
    ['a key that expires in month 13', { API_KEYS: `${apiKey}:2026-13-01` }, ['API_KEYS']],
    ['a key that expires on 31 February', { API_KEYS: `${apiKey}:2026-02-31` }, ['API_KEYS']],
    [
      'a list of keys without an entry, which would leave the service open',
      { ...capture, API_KEYS: ' , ', HOST: '0.0.0.0' },
      ['API_KEYS'],
    ],
    ['a key with a scope that does not exist', { API_KEYS: `${apiKey}+records:erase` }, ['API_KEYS']],
    [
      'an allow-list that is not a regular expression',
      { ...capture, ...appwrite, ALLOWED_DOMAINS_REGEXP: '(' },
      ['ALLOWED_DOMAINS_REGEXP'],
    ],
    [
      'an Appwrite over plain http on another host',
      { ...capture, ...appwrite, APPWRITE_ENDPOINT: 'http://appwrite.example.org/v1' },
      ['APPWRITE_ENDPOINT'],
    ],
    [
      'an upstream over plain http on another host',
      { ...capture, CAPTURE_API_URL: 'http://redcap.example.org/api/' },
      ['CAPTURE_API_URL'],
    ],
    ['a fraction where a whole number belongs', { PORT: '80.5' }, ['PORT']],
    ['an unbounded time limit', { CAPTURE_IDLE_TIMEOUT_MS: '0' }, ['CAPTURE_IDLE_TIMEOUT_MS']],
    ['ALLOW_ANONYMOUS with another word', { ALLOW_ANONYMOUS: 'yes' }, ['ALLOW_ANONYMOUS']],
    [
      'production with everything that it needs',
      { ...capture, ...appwrite, NODE_ENV: 'production', HOST: '0.0.0.0' },
      [],
    ],
  ];
  for (const [description, environment, names] of matrix) {
    it(`${names.length === 0 ? 'accepts' : 'refuses'} ${description}`, () => {
      expect(refused(environment)).to.deep.equal(names);
    });
  }

  it('says in one line who can read and write an open project, and how to close it', () => {
    for (const [environment, who] of [
      [{ ALLOW_ANONYMOUS: 'true' }, 'everybody who can reach this server'],
      [{ PORT: '8080' }, 'every user and program on this machine'],
    ] as const) {
      const { warnings } = loadSettings({ ...capture, ...environment });

      expect(warnings).to.have.length(1);
      expect(warnings[0])
        .to.match(/^OPEN: /)
        .and.include(`${who} can read and write the project`)
        .and.include('crf key create');
    }
  });

  it('announces nothing on the sandbox', () => {
    expect(loadSettings({}).warnings).to.deep.equal([]);
  });

  it('warns of an unknown name without showing its value', () => {
    const { warnings } = loadSettings({ CAPTURE_API_TOKN: 'SENTINEL', PATH: 'x' });

    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.include('CAPTURE_API_TOKN').and.to.not.include('SENTINEL');
  });

  it('refuses a misspelt name that is meant to protect, with the name that was meant (OPS-09)', () => {
    const environment = {
      ...capture,
      API_KEY: apiKey,
      SESSION_SCOPE: 'project:read',
      POLICY_FLIE: 'SENTINEL',
    };
    let thrown: unknown;
    try {
      loadSettings(environment);
    } catch (error) {
      thrown = error;
    }

    const { errors, message } = thrown as ConfigurationError;
    expect(errors.map(({ field }) => field)).to.have.members(['API_KEY', 'SESSION_SCOPE', 'POLICY_FLIE']);
    expect(message).to.include('API_KEY is not a setting of this package; did you mean API_KEYS?');
    expect(message).to.include('did you mean SESSION_SCOPES?').and.not.include('SENTINEL');
  });

  it('only warns a command of such a name, because it opens nothing', () => {
    expect(loadCommandSettings({ ...capture, API_KEY: apiKey }).warnings.join()).to.include('API_KEY');
  });

  it('ignores what desktops and Kubernetes set, and an empty variable', () => {
    const foreign = {
      SESSION_MANAGER: 'local/host:@/tmp/.ICE-unix/1',
      API_SERVICE_HOST: '10.0.0.1',
      API_SERVICE_PORT_HTTP: '80',
      API_PORT: 'tcp://10.0.0.1:80',
      API_PORT_80_TCP_ADDR: '10.0.0.1',
      POLICY_FLIE: ' ',
    };

    expect(refused({ ...capture, ...foreign })).to.deep.equal([]);
  });

  it('accepts the _FILE names of secrets', () => {
    const file = fileURLToPath(import.meta.url);

    expect(loadSettings({ API_KEYS: apiKey, APPWRITE_API_KEY_FILE: '' }).warnings).to.deep.equal([]);
    expect(refused({ API_KEYS: apiKey, API_KEYS_FILE: file })).to.deep.equal(['API_KEYS_FILE']);
  });

  it('is closed as soon as API keys, sign-in or ALLOW_ANONYMOUS=false are configured', () => {
    expect(loadSettings({ API_KEYS: apiKey }).app.access.allowAnonymous).to.be.false;
    expect(loadSettings({ ...capture, ...appwrite }).app.access.allowAnonymous).to.be.false;
    expect(loadSettings({ ALLOW_ANONYMOUS: 'false' }).app.access.allowAnonymous).to.be.false;
  });

  it('lets a key expire at the end of its day', () => {
    const [key] = loadSettings({ API_KEYS: `${apiKey}:2026-12-31` }).app.access.apiKeys;

    expect(key).to.deep.equal({
      name: 'portal',
      sha256: 'a'.repeat(64),
      scopes: ['project:read', 'records:read'],
      expiresAt: new Date('2027-01-01T00:00:00Z'),
    });
  });

  it('reveals no secret when printed or serialized', () => {
    const settings = loadSettings({ ...capture, ...appwrite });
    const shown = `${printed(settings)}${JSON.stringify(settings)}`;

    expect(shown).to.not.include(TOKEN).and.to.not.include('SENTINEL');
    expect(settings.appwrite?.apiKey.reveal()).to.equal('standard_SENTINEL');
  });

  it('is deeply frozen', () => {
    expect(Object.isFrozen(loadSettings({ API_KEYS: apiKey }).app.access.apiKeys[0]?.scopes)).to.be.true;
  });
});

describe('A secret from a file', () => {
  let folder: string;
  const file = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'crf-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  it('is read without its trailing line break', () => {
    const settings = loadSettings({
      CAPTURE_API_URL: capture.CAPTURE_API_URL,
      CAPTURE_API_TOKEN_FILE: file('token', `${TOKEN}\n`),
    });

    expect(settings.capture?.token.reveal()).to.equal(TOKEN);
  });

  it('is refused if the variable is also set, or the file is missing or empty', () => {
    expect(refused({ ...capture, CAPTURE_API_TOKEN_FILE: file('token', TOKEN) })).to.deep.equal([
      'CAPTURE_API_TOKEN_FILE',
    ]);
    expect(refused({ API_KEYS_FILE: join(folder, 'nowhere') })).to.deep.equal(['API_KEYS_FILE']);
    expect(refused({ API_KEYS_FILE: file('empty', '\n') })).to.deep.equal(['API_KEYS_FILE']);
  });
});

/** Returns the cells of the table rows about variables, without the padding that prettier adds. */
function cellsOf(page: string): string[][] {
  return [...page.matchAll(/^\| `[A-Z_]+`.*$/gm)].map(([row]) =>
    row.split(/(?<!\\)\|/).map((cell) => cell.trim()),
  );
}

describe('The list of environment variables', () => {
  const read = (path: string): string =>
    readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');

  it('gives each variable an example that it accepts, or a default', () => {
    for (const [name, { type, example }] of Object.entries<Setting>(SETTINGS)) {
      expect(example ?? type.parse(undefined), name).to.exist;
      const { error } = type.safeParse(example ?? String(type.parse(undefined)));
      expect(error?.issues ?? [], name).to.deep.equal([]);
    }
  });

  it('gives each variable an option of its own', () => {
    const options = Object.values<Setting>(SETTINGS).map(({ option }) => option);

    expect(new Set(options)).to.have.property('size', options.length);
  });

  it('is complete in docs/reference/configuration.md, including the descriptions', () => {
    expect(cellsOf(read('docs/reference/configuration.md'))).to.deep.equal(
      cellsOf(configurationPage()),
      'run: npx tsx scripts/configuration-table.ts && npm run format',
    );
  });

  it('is complete in .env.example', () => {
    expect(read('.env.example')).to.equal(
      environmentExample(),
      'run: npx tsx scripts/configuration-table.ts',
    );
  });

  it('begins in .env.example with the project and its keys', () => {
    const names = [...read('.env.example').matchAll(/^# ([A-Z_]+)=/gm)].map(([, name]) => name);

    expect(names.slice(0, 4)).to.deep.equal([
      'CAPTURE_API_URL',
      'CAPTURE_API_TOKEN',
      'RECORD_ID_MIN_LENGTH',
      'API_KEYS',
    ]);
    expect(names).to.have.members(Object.keys(SETTINGS));
  });
});

describe('The options that settings make', () => {
  it('of the client are those of the library by default', () => {
    const { resilience } = loadSettings(capture).client;

    expect(DEFAULT_RESILIENCE).to.include(resilience);
  });

  it('of the client have no rate limit on the sandbox unless one is configured', () => {
    expect(loadSettings({}).client.resilience.callsPerMinute).to.equal(0);
    expect(loadSettings({ CAPTURE_CALLS_PER_MINUTE: '7' }).client.resilience.callsPerMinute).to.equal(7);
  });

  it('of the client are in their places', () => {
    const { timeouts, resilience } = loadSettings({
      CAPTURE_CONNECT_TIMEOUT_MS: '1',
      CAPTURE_FIRST_BYTE_TIMEOUT_MS: '2',
      CAPTURE_IDLE_TIMEOUT_MS: '3',
      CAPTURE_TOTAL_TIMEOUT_MS: '4',
      CAPTURE_MAX_CONCURRENT: '5',
      CAPTURE_QUEUE_LIMIT: '6',
      CAPTURE_QUEUE_TIMEOUT_MS: '7',
      CAPTURE_CALLS_PER_MINUTE: '8',
      CAPTURE_RETRIES: '1',
      CAPTURE_BREAKER_FAILURES: '9',
      CAPTURE_BREAKER_RESET_MS: '10',
      CAPTURE_CACHE_SECONDS: '11',
    }).client;

    expect(timeouts).to.deep.equal({ connectMs: 1, firstByteMs: 2, idleMs: 3 });
    expect(resilience).to.deep.equal({
      totalMs: 4,
      concurrency: 5,
      queueLimit: 6,
      queueWaitMs: 7,
      callsPerMinute: 8,
      maxRetries: 1,
      breakerFailures: 9,
      breakerOpenMs: 10,
      cacheMs: 11_000,
    });
  });

  for (const [most, concurrency] of [
    ['1', 1],
    ['3', 1],
    ['8', 4],
    ['100', 4],
  ] as const) {
    it(`let an import make ${concurrency} of ${most} concurrent calls at once`, () => {
      const { imports } = loadSettings({ CAPTURE_MAX_CONCURRENT: most }).project;

      expect(imports.concurrency).to.equal(concurrency);
    });
  }

  const DEFAULTS = { callsPerMinute: 600, failedAuthPerMinute: 60 };
  const NONE = { callsPerMinute: 0, failedAuthPerMinute: 0 };
  for (const [where, environment, expected] of [
    ['in front of REDCap, open', capture, DEFAULTS],
    ['in front of REDCap, closed', { ...capture, ALLOW_ANONYMOUS: 'false' }, DEFAULTS],
    ['on the sandbox, closed', { ALLOW_ANONYMOUS: 'false' }, DEFAULTS],
    ['on the sandbox, open', {}, NONE],
    ['on the sandbox, opened to everybody', { ALLOW_ANONYMOUS: 'true' }, NONE],
  ] as const) {
    it(`RATE-01: ${where}: ${expected.callsPerMinute} calls, ${expected.failedAuthPerMinute} failures`, () => {
      expect(loadSettings(environment).app.limits).to.include(expected);
    });
  }

  it('RATE-01: have configured limits on the sandbox and in front of REDCap', () => {
    const set = { API_CALLS_PER_MINUTE: '7', API_FAILED_AUTH_PER_MINUTE: '0' };

    for (const environment of [capture, {}])
      expect(loadSettings({ ...environment, ...set }).app.limits).to.include({
        callsPerMinute: 7,
        failedAuthPerMinute: 0,
      });
  });

  it('are those of development for a sandbox that is asked for, and open to this machine alone', () => {
    const { isProduction, app, auditLog } = loadSettings({ NODE_ENV: 'production', SANDBOX: 'true' });

    expect([isProduction, app.docs, auditLog.kind]).to.deep.equal([false, true, 'off']);
    expect([app.access.allowAnonymous, app.access.isLoopbackOnly]).to.deep.equal([true, true]);
  });

  it('depend on whether the service runs in production', () => {
    const production = { ...capture, API_KEYS: apiKey, NODE_ENV: 'production' };
    const whereOf = ({ app, auditLog, shutdown }: ReturnType<typeof loadSettings>) => [
      app.docs,
      auditLog.kind,
      shutdown.drainDelayMs,
    ];

    expect(whereOf(loadSettings({}))).to.deep.equal([true, 'off', 0]);
    expect(whereOf(loadSettings(production))).to.deep.equal([false, 'stdout', 5000]);
    expect(
      whereOf(loadSettings({ ...production, DOCS: 'on', AUDIT_LOG: 'off', DRAIN_DELAY_MS: '1' })),
    ).to.deep.equal([true, 'off', 1]);
  });
});
