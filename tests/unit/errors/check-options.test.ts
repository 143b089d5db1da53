import { expect } from 'chai';
import express from 'express';
import { createApp, createAuthService, createHttpServer, hashApiKey } from '../../../src/index.js';
import { createCrfClient, createServiceClient } from '../../../src/client.js';
import type { ConfigurationError } from '../../../src/errors/operator-errors.js';
import { createAuthRouter, currentSession, requireScope, sessionHook } from '../../../src/hooks.js';

/** Calls a public function with options of any type, as an untyped host might, and returns the refused fields. */
function fieldsRefusedBy(make: unknown, ...options: readonly unknown[]): string[] {
  try {
    (make as (...given: readonly unknown[]) => unknown)(...options);
  } catch (error) {
    expect(error).to.have.property('code', 'invalid_configuration');
    expect((error as Error).message).to.not.include('SENTINEL');
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
const auth = { currentUser: () => null, signupWithEmail: () => null };
const capture = { ping: () => null, getVersion: () => null };
const client = { url: 'https://redcap.example.org/api', token: 'A'.repeat(32) };

describe('A public function that validates its options', () => {
  const cases: readonly [string, unknown, readonly unknown[], readonly string[]][] = [
    ['createAuthService', createAuthService, [], ['options', ...AUTH_FIELDS]],
    ['createAuthService', createAuthService, [null], ['options', ...AUTH_FIELDS]],
    ['createAuthService', createAuthService, [{}], AUTH_FIELDS],
    ['createAuthService', createAuthService, [{ appwrite: 'SENTINEL', domainValidation: null }], AUTH_FIELDS],
    ['createAuthService', createAuthService, [{ onEvent: 'SENTINEL' }], ['onEvent', ...AUTH_FIELDS]],
    ['createCrfClient', createCrfClient, [], ['options']],
    ['createCrfClient', createCrfClient, [{}], ['url', 'token']],
    ['createCrfClient', createCrfClient, [{ url: 'SENTINEL', token: 7 }], ['url', 'token']],
    ['createCrfClient', createCrfClient, [{ ...client, timeouts: { idleMs: '9' } }], ['timeouts.idleMs']],
    [
      'createCrfClient',
      createCrfClient,
      [{ ...client, resilience: { concurrency: 0 } }],
      ['resilience.concurrency'],
    ],
    ['createCrfClient', createCrfClient, [{ ...client, agent: {} }], ['agent']],
    ['createCrfClient', createCrfClient, [{ ...client, importEncoding: 'SENTINEL' }], ['importEncoding']],
    // A timer of Node fires immediately if its delay exceeds 2^31 - 1 ms.
    [
      'createCrfClient',
      createCrfClient,
      [{ ...client, timeouts: { firstByteMs: 2 ** 31 }, resilience: { totalMs: 2 ** 31 } }],
      ['timeouts.firstByteMs', 'resilience.totalMs'],
    ],
    [
      'createServiceClient',
      createServiceClient,
      [{ baseUrl: 'http://x', timeoutMs: 2 ** 31 }],
      ['timeoutMs'],
    ],
    ['createServiceClient', createServiceClient, [], ['options']],
    ['createServiceClient', createServiceClient, [{}], ['baseUrl']],
    [
      'createServiceClient',
      createServiceClient,
      [{ baseUrl: '/SENTINEL', apiKey: 'SENTINEL\r\nX: 1', fetch: 1 }],
      ['baseUrl', 'apiKey', 'fetch'],
    ],
    ['createApp', createApp, [], ['options']],
    ['createApp', createApp, [{}], ['capture']],
    ['createApp', createApp, [{ capture, access: 'SENTINEL' }], ['access']],
    // Any non-empty text is truthy, so it would open the service.
    ['createApp', createApp, [{ capture, access: { allowAnonymous: 'false' } }], ['access.allowAnonymous']],
    [
      'createApp',
      createApp,
      [{ capture, access: { apiKeys: [{ name: 'a', sha256: 'SENTINEL', scopes: ['SENTINEL'] }] } }],
      ['access.apiKeys[0].sha256', 'access.apiKeys[0].scopes'],
    ],
    [
      'createApp',
      createApp,
      [{ capture, auth: { service: 'SENTINEL' } }],
      ['auth.service', 'auth.trustedOrigins'],
    ],
    ['createApp', createApp, [{ capture, trustProxy: true }], ['trustProxy']],
    ['createApp', createApp, [{ capture, trustProxy: ['SENTINEL'] }], ['trustProxy']],
    ['createApp', createApp, [{ capture, trustProxy: ['0.0.0.0/0'] }], ['trustProxy']],
    ['createApp', createApp, [{ capture, limits: { bodyBytes: -1 } }], ['limits.bodyBytes']],
    ['createHttpServer', createHttpServer, [], ['app']],
    ['createHttpServer', createHttpServer, [express(), { maxConnections: 0 }], ['maxConnections']],
    ['hashApiKey', hashApiKey, ['SENTINEL'], ['key']],
    ['sessionHook', sessionHook, [], ['auth']],
    ['sessionHook', sessionHook, [auth, { scopes: ['SENTINEL'] }], ['scopes']],
    ['requireScope', requireScope, [], ['scopes']],
    ['requireScope', requireScope, ['SENTINEL'], ['scopes']],
    ['currentSession', currentSession, [{}], ['sessionHook']],
    ['createAuthRouter', createAuthRouter, [], ['auth', 'options']],
    [
      'createAuthRouter',
      createAuthRouter,
      [auth, { origin: 'https://app.example.org/SENTINEL', afterLogin: '//SENTINEL' }],
      ['origin', 'afterLogin'],
    ],
  ];
  for (const [name, make, options, fields] of cases) {
    it(`refuses ${fields.join(', ')} in ${name}`, () => {
      expect(fieldsRefusedBy(make, ...options)).to.have.members(fields);
    });
  }

  it('accepts options of the documented types', () => {
    expect(fieldsRefusedBy(createCrfClient, client)).to.deep.equal([]);
    expect(fieldsRefusedBy(createServiceClient, { baseUrl: 'http://127.0.0.1:3000/' })).to.deep.equal([]);
    expect(fieldsRefusedBy(createApp, { capture })).to.deep.equal([]);
  });
});
