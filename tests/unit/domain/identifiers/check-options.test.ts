import { expect } from 'chai';
import express from 'express';
import {
  createApp,
  createAuthService,
  createHttpServer,
  hashApiKey,
  type ApiKey,
} from '../../../../src/index.js';
import { createCrfClient, createServiceClient } from '../../../../src/client.js';
import type { ConfigurationError } from '../../../../src/domain/errors/operator-errors.js';
import {
  createAuthRouter,
  currentSession,
  requireScope,
  requireSession,
  sessionHook,
} from '../../../../src/hooks.js';
import { sessionHandle } from '../../../../src/sveltekit.js';
import { printed } from '../../../support/printed.js';

type PublicFunction = (...given: never[]) => unknown;

/** Calls a public function with options of any type, as an untyped host might, and returns the refused fields. */
function fieldsRefusedBy(make: PublicFunction, ...options: readonly unknown[]): string[] {
  try {
    make(...(options as never[]));
  } catch (error) {
    expect(error).to.have.property('code', 'invalid_configuration');
    expect(printed(error)).to.not.include('SENTINEL');
    return (error as ConfigurationError).errors.map(({ field }) => field);
  }
  return [];
}

const AUTH_FIELDS = [
  'appwrite.endpoint',
  'appwrite.projectId',
  'appwrite.apiKey',
  'loginUrl',
  'allowedDomainsRegexp',
];
const client = { url: 'https://redcap.example.org/api', token: 'A'.repeat(32) };
const capture = createCrfClient(client); // sends nothing before its first call
const signIn = {
  appwrite: { endpoint: 'https://identity.example.org/v1', projectId: 'study', apiKey: 'k'.repeat(40) },
  loginUrl: 'https://crf.example.org/login',
  domainValidation: { allowedDomainsRegexp: 'any' },
};
const auth = createAuthService(signIn);
const key: ApiKey = { name: 'portal', sha256: 'a'.repeat(64), scopes: ['project:read'] };

describe('A public function that validates its options', () => {
  const cases: readonly [PublicFunction, readonly unknown[], readonly string[]][] = [
    [createAuthService, [], ['options', ...AUTH_FIELDS]],
    [createAuthService, [null], ['options', ...AUTH_FIELDS]],
    [createAuthService, [{}], AUTH_FIELDS],
    [
      createAuthService,
      [{ appwrite: 'SENTINEL', domainValidation: null }],
      ['appwrite', 'domainValidation', ...AUTH_FIELDS],
    ],
    [createAuthService, [{ onEvent: 'SENTINEL' }], ['onEvent', ...AUTH_FIELDS]],
    [createCrfClient, [], ['options']],
    [createCrfClient, [{}], ['url', 'token']],
    [createCrfClient, [{ url: 'SENTINEL', token: 7 }], ['url', 'token']],
    [createCrfClient, [{ ...client, timeouts: { idleMs: '9' } }], ['timeouts.idleMs']],
    [createCrfClient, [{ ...client, resilience: { concurrency: 0 } }], ['resilience.concurrency']],
    [createCrfClient, [{ ...client, agent: {} }], ['agent']],
    [createCrfClient, [{ ...client, importEncoding: 'SENTINEL' }], ['importEncoding']],
    // A timer of Node fires immediately if its delay exceeds 2^31 - 1 ms.
    [
      createCrfClient,
      [{ ...client, timeouts: { firstByteMs: 2 ** 31 }, resilience: { totalMs: 2 ** 31 } }],
      ['timeouts.firstByteMs', 'resilience.totalMs'],
    ],
    [createServiceClient, [{ baseUrl: 'http://x', timeoutMs: 2 ** 31 }], ['timeoutMs']],
    [createServiceClient, [], ['options']],
    [createServiceClient, [{}], ['baseUrl']],
    [
      createServiceClient,
      [{ baseUrl: '/SENTINEL', apiKey: 'SENTINEL\r\nX: 1', fetch: 1 }],
      ['baseUrl', 'apiKey', 'fetch'],
    ],
    [createApp, [], ['options']],
    [createApp, [{}], ['capture']],
    [createApp, [{ capture: {} }], ['capture']],
    [createApp, [{ capture, auth: { service: {}, trustedOrigins: [] } }], ['auth.service']],
    [createApp, [{ capture, access: 'SENTINEL' }], ['access']],
    // Any non-empty text is truthy, so it would open the service.
    [createApp, [{ capture, access: { allowAnonymous: 'false' } }], ['access.allowAnonymous']],
    [
      createApp,
      [{ capture, access: { apiKeys: [{ name: 'a', sha256: 'SENTINEL', scopes: ['SENTINEL'] }] } }],
      ['access.apiKeys[0].sha256', 'access.apiKeys[0].scopes'],
    ],
    [createApp, [{ capture, auth: { service: 'SENTINEL' } }], ['auth.service', 'auth.trustedOrigins']],
    [createApp, [{ capture, trustProxy: true }], ['trustProxy']],
    [createApp, [{ capture, trustProxy: ['SENTINEL'] }], ['trustProxy']],
    [createApp, [{ capture, trustProxy: ['0.0.0.0/0'] }], ['trustProxy']],
    [createApp, [{ capture, limits: { bodyBytes: -1 } }], ['limits.bodyBytes']],
    [createHttpServer, [], ['app']],
    [createHttpServer, [express(), { maxConnections: 0 }], ['maxConnections']],
    [hashApiKey, ['SENTINEL'], ['key']],
    [sessionHook, [], ['auth']],
    [sessionHook, [auth, { scopes: ['SENTINEL'] }], ['scopes']],
    [requireScope, [], ['scopes']],
    [requireScope, ['SENTINEL'], ['scopes']],
    [currentSession, [{}], ['sessionHook']],
    // Each of these looks like a protection that nobody would get.
    [createApp, [{ capture, acces: { apiKeys: [] } }], ['acces']],
    [
      createApp,
      [{ capture, access: { apiKeys: [{ ...key, expires: new Date(0) }] } }],
      ['access.apiKeys[0].expires'],
    ],
    [requireSession, [{ scopes: ['records:read'] }], ['options']],
    [sessionHandle, [auth, { scopes: ['records:read'] }], ['options']],
    [createAuthRouter, [{ currentUser: () => null }, { origin: 'https://app.example.org' }], ['auth']],
    [createAuthRouter, [], ['auth', 'options']],
    [
      createAuthRouter,
      [auth, { origin: 'https://app.example.org/SENTINEL', afterLogin: '//SENTINEL', limitStores: {} }],
      ['origin', 'afterLogin', 'limitStores'],
    ],
  ];
  for (const [make, options, fields] of cases) {
    const shown = JSON.stringify(options, (name, value: unknown) => (name === 'capture' ? '…' : value));
    const call = `${make.name}(${shown.slice(1, -1)})`;
    it(`refuses ${fields.join(', ')} in ${call}`, () => {
      expect(fieldsRefusedBy(make, ...options)).to.have.members(fields);
    });
  }

  it('accepts options of the documented types', () => {
    expect(fieldsRefusedBy(createCrfClient, client)).to.deep.equal([]);
    expect(fieldsRefusedBy(createServiceClient, { baseUrl: 'http://127.0.0.1:3000/' })).to.deep.equal([]);
    expect(fieldsRefusedBy(createApp, { capture })).to.deep.equal([]);
  });
});
