import { expect } from 'chai';
import express from 'express';
import request from 'supertest';
import { cookiesOf } from '../../../src/http/express-cookies.js';
import type { CookieAttributes, CookieStore } from '../../../src/services/auth/auth-types.js';

const ATTRIBUTES: CookieAttributes = { path: '/', httpOnly: true, secure: true, sameSite: 'lax' };

/** Returns the `Set-Cookie` lines of an answer after a handler used the cookies. */
async function linesAfter(act: (cookies: CookieStore) => void): Promise<string[]> {
  const app = express();
  app.get('/', (incoming, response) => {
    act(cookiesOf(incoming));
    response.end();
  });
  const { headers } = await request(app).get('/');
  return [(headers['set-cookie'] as unknown as string[] | undefined) ?? []].flat();
}

describe('expressCookies', () => {
  it('sets each cookie once per answer, with its last value', async () => {
    const lines = await linesAfter((cookies) => {
      cookies.set('a', '1', ATTRIBUTES);
      cookies.set('ab', '1', ATTRIBUTES);
      cookies.set('a', '2', ATTRIBUTES);
    });

    expect(lines).to.deep.equal([
      'ab=1; Path=/; HttpOnly; Secure; SameSite=Lax',
      'a=2; Path=/; HttpOnly; Secure; SameSite=Lax',
    ]);
  });

  it('COOK-03: replaces an earlier value with the deletion', async () => {
    const lines = await linesAfter((cookies) => {
      cookies.set('a', '1', ATTRIBUTES);
      cookies.delete('a', ATTRIBUTES);
    });

    expect(lines).to.have.length(1);
    expect(lines[0]).to.match(/^a=; Max-Age=0; Path=\/;.* HttpOnly; Secure; SameSite=Lax$/);
  });
});
