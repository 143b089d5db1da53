import { expect } from 'chai';
import type { RunningServer } from '../../../src/server/start-server.js';
import { startWholeService } from '../../support/start-whole-service.js';

/** Bodies that no form of these pages sends. */
const BODIES: readonly { readonly name: string; readonly type?: string; readonly body?: string }[] = [
  { name: 'no body' },
  { name: 'an empty form', type: 'application/x-www-form-urlencoded', body: '' },
  { name: 'a body of another type', type: 'text/plain', body: 'userId=a&secret=b' },
  { name: 'JSON in place of a form', type: 'application/json', body: '{"userId":"a","secret":"b"}' },
  {
    name: 'repeated fields',
    type: 'application/x-www-form-urlencoded',
    body: 'userId=a&userId=b&email=a&email=b&id=a&id=b',
  },
  { name: 'a hundred fields', type: 'application/x-www-form-urlencoded', body: 'a=b&'.repeat(100) },
  {
    name: 'a form of a megabyte',
    type: 'application/x-www-form-urlencoded',
    body: `a=${'b'.repeat(2 ** 20)}`,
  },
];

describe('The forms of the sign-in pages', () => {
  let service: RunningServer;
  before(async () => {
    service = await startWholeService();
  });
  after(() => service.stop());

  for (const path of [
    '/login/send',
    '/login/confirm',
    '/dashboard/sessions/end',
    '/dashboard/delete-account',
  ]) {
    for (const { name, type, body } of BODIES) {
      it(`answer ${name} at POST ${path} with an error or with the way to sign in`, async () => {
        const answer = await fetch(service.url + path, {
          method: 'POST',
          redirect: 'manual',
          headers: { accept: 'application/json', ...(type && { 'content-type': type }) },
          ...(body !== undefined && { body }),
        });

        expect(answer.status).to.be.oneOf([303, 400, 413, 429]);
        if (answer.status === 303) expect(answer.headers.get('location')).to.equal('/login');
        await answer.body?.cancel();
      });
    }
  }

  it('answer a body that is not compressed as declared', async () => {
    const answer = await fetch(`${service.url}/api/v1/auth/signup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: '{"email":"ada@example.org"}',
    });

    expect(answer.status).to.equal(400);
    expect(await answer.json()).to.include({ code: 'malformed_request', detail: 'The body cannot be read.' });
  });
});
