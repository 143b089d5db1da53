import { expect } from 'chai';
import { ProblemError } from '../../../../src/domain/errors/problem-error.js';
import { createHash } from 'node:crypto';
import { AccessControl } from '../../../../src/services/access/access-control.js';
import { createApiKey, hashApiKey } from '../../../../src/services/access/api-key.js';
import { SCOPES } from '../../../../src/domain/identifiers/scope.js';
import type { CookieStore, SessionUser } from '../../../../src/services/auth/auth-types.js';
import { rejection } from '../../../support/rejection.js';

const noCookies: CookieStore = { get: () => undefined, set: () => undefined, delete: () => undefined };

const ada: SessionUser = {
  id: 'ada',
  email: 'ada@example.org',
  sessionId: 's1',
  authenticatedAt: '2026-11-20T10:00:00.000Z',
  expiresAt: '2026-11-20T22:00:00.000Z',
  method: 'magic-url',
};

describe('AccessControl.identify', () => {
  const key = createApiKey();
  const portal = { name: 'portal', sha256: hashApiKey(key), scopes: ['project:read'] as const };
  const apiKeys = [portal];
  const presented = { authorization: `Bearer ${key}`, cookies: noCookies };

  it('GW-01: refuses a request without a credential by default', async () => {
    const error = await rejection(new AccessControl().identify({ cookies: noCookies }));

    expect(error).to.have.property('code', 'unauthenticated');
  });

  it('GW-01: refuses every key if none is configured', async () => {
    expect(await rejection(new AccessControl().identify(presented))).to.have.property(
      'code',
      'unauthenticated',
    );
  });

  it('GW-02: refuses a secret in another format, even if its hash is configured', async () => {
    const weak = { ...portal, sha256: createHash('sha256').update('password').digest('hex') };
    const access = new AccessControl({ apiKeys: [weak] });

    expect(
      await rejection(access.identify({ authorization: 'Bearer password', cookies: noCookies })),
    ).to.have.property('code', 'unauthenticated');
  });

  it('GW-02: recognizes an API key by its hash, and grants its scopes', async () => {
    const caller = await new AccessControl({ apiKeys }).identify(presented);

    expect(caller).to.deep.equal({ kind: 'api-key', name: 'key:portal', scopes: ['project:read'] });
  });

  it('GW-02: accepts two keys of the same name, so that one can replace the other', async () => {
    const next = createApiKey();
    const access = new AccessControl({ apiKeys: [...apiKeys, { ...portal, sha256: hashApiKey(next) }] });

    expect((await access.identify({ authorization: `Bearer ${next}`, cookies: noCookies })).name).to.equal(
      'key:portal',
    );
    expect((await access.identify(presented)).name).to.equal('key:portal');
  });

  it('GW-02: refuses a key from the moment it expires', async () => {
    const expiresAt = new Date('2026-11-20T12:00:00Z');
    const at = (time: string) =>
      new AccessControl({ apiKeys: [{ ...portal, expiresAt }], clock: () => new Date(time) }).identify(
        presented,
      );

    expect((await at('2026-11-20T11:59:59Z')).kind).to.equal('api-key');
    const refused = await rejection(at('2026-11-20T12:00:00Z'));
    expect(refused).to.have.property('code', 'unauthenticated');
    expect(refused).to.have.property('expired', 'key:portal');
  });

  for (const [description, authorization] of [
    ['an unknown key', `Bearer ${createApiKey()}`],
    ['another scheme', `Basic ${key}`],
    ['another scheme before the right one', `Basic Bearer ${key}`],
    ['a key followed by text', `Bearer ${key} x`],
    ['the hash instead of the key', `Bearer ${hashApiKey(key)}`],
    ['a scheme without a key', 'Bearer '],
  ] as const) {
    it(`refuses ${description}, even in open mode`, async () => {
      const access = new AccessControl({ apiKeys, allowAnonymous: true });

      expect(await rejection(access.identify({ authorization, cookies: noCookies }))).to.have.property(
        'code',
        'unauthenticated',
      );
    });
  }

  it('accepts any number of blanks after the scheme (RFC 9110, 11.4)', async () => {
    const access = new AccessControl({ apiKeys });

    expect(await access.identify({ authorization: `bearer   ${key}`, cookies: noCookies })).to.have.property(
      'name',
      'key:portal',
    );
  });

  it('GW-02: refuses an expired key by the system clock by default', async () => {
    const access = new AccessControl({ apiKeys: [{ ...portal, expiresAt: new Date(Date.now() - 1000) }] });

    expect(await rejection(access.identify(presented))).to.have.property('code', 'unauthenticated');
  });

  it('identifies a signed-in person and an anonymous caller', async () => {
    const auth = { currentUser: async () => ada };

    expect(await new AccessControl({ auth }).identify({ cookies: noCookies })).to.deep.include({
      kind: 'session',
      name: 'session:ada',
      user: ada,
    });
    expect(
      await new AccessControl({ allowAnonymous: true }).identify({ cookies: noCookies }),
    ).to.deep.include({
      kind: 'anonymous',
      name: 'anonymous',
    });
  });

  it('grants anonymous callers no rights over design, deletion or files by default', async () => {
    const caller = await new AccessControl({ allowAnonymous: true }).identify({ cookies: noCookies });

    expect(caller.scopes).to.deep.equal(['project:read', 'records:read', 'records:write', 'users:read']);
  });

  it('grants anonymous callers and sessions the scopes that the application opens', async () => {
    const open = new AccessControl({ allowAnonymous: true, openScopes: SCOPES, sessionScopes: [] });

    expect((await open.identify({ cookies: noCookies })).scopes).to.deep.equal(SCOPES);
    expect(open.scopesOfSessions).to.deep.equal(SCOPES);
  });

  it('grants a signed-in person only project:read by default, or the configured scopes', async () => {
    const auth = { currentUser: async () => ada };

    expect((await new AccessControl({ auth }).identify({ cookies: noCookies })).scopes).to.deep.equal([
      'project:read',
    ]);
    expect(
      (await new AccessControl({ auth, sessionScopes: ['records:read'] }).identify({ cookies: noCookies }))
        .scopes,
    ).to.deep.equal(['records:read']);
  });

  it('SESS-06: fails closed when the session cannot be checked', async () => {
    const auth = { currentUser: () => Promise.reject(new ProblemError('identity_unavailable')) };

    expect(await rejection(new AccessControl({ auth }).identify({ cookies: noCookies }))).to.have.property(
      'code',
      'identity_unavailable',
    );
  });
});

describe('AccessControl.authorize', () => {
  const caller = { kind: 'api-key', name: 'key:portal', scopes: ['project:read'] } as const;

  it('allows a caller with the scope', () => {
    expect(() => new AccessControl().authorize(caller, ['project:read'])).to.not.throw();
  });

  it('names the missing scope', () => {
    expect(() => new AccessControl().authorize(caller, ['project:read', 'records:write'])).to.throw(
      'records:write',
    );
  });
});

describe('AccessControl.scopesIn', () => {
  it('PROJ-02: compares as many addresses for a project of others as for one that does not exist', () => {
    const grants = ['ada@*', 'joan@*', 'mary@*'].map((email) => ({
      email,
      projects: ['cohort'],
      scopes: SCOPES,
    }));
    const access = new AccessControl({ sessions: grants });
    const comparedFor = (project: string): number => {
      let compared = 0;
      const user = {
        get email() {
          compared += 1;
          return 'grace@example.org';
        },
      };
      const caller = { kind: 'session', name: 'session:grace', scopes: [], user } as const;
      expect(access.scopesIn(caller, project, false)).to.equal(undefined);
      return compared;
    };

    expect(comparedFor('cohort')).to.equal(comparedFor('nobody')).and.to.be.above(0);
  });
});
