import { expect } from 'chai';
import cookieParser from 'cookie-parser';
import express, { type Request } from 'express';
import request from 'supertest';
import { cookiesOf } from '../../../src/http/express-cookies.js';
import type { CookieAttributes, CookieStore } from '../../../src/services/auth/auth-types.js';

const ATTRIBUTES: CookieAttributes = { path: '/', httpOnly: true, secure: true, sameSite: 'lax' };

/** Returns what a handler reads as the cookie `a`, for a request with the given `Cookie` header. */
async function readFrom(header: string | undefined, ...handlers: express.RequestHandler[]): Promise<unknown> {
  const app = express();
  app.get('/', ...handlers, (incoming, response) => {
    response.json([cookiesOf(incoming).get('a') ?? 'none']);
  });
  const answer = await request(app)
    .get('/')
    .set(header === undefined ? {} : { Cookie: header });
  return (answer.body as unknown[])[0];
}

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

  it('reads a cookie with and without cookie-parser in the host application', async () => {
    for (const handlers of [[], [cookieParser()]]) {
      expect(await readFrom('b=2; a=1%20x', ...handlers)).to.equal('1 x');
      expect(await readFrom('b=2', ...handlers)).to.equal('none');
      expect(await readFrom(undefined, ...handlers)).to.equal('none');
    }
  });

  it('ignores a cookie that cookie-parser has parsed into an object', async () => {
    expect(await readFrom('a=j:{"length":4000}', cookieParser())).to.equal('none');
  });

  it('COOK-01: sets the lifetime in seconds', async () => {
    const [line] = await linesAfter((cookies) => cookies.set('a', '1', { ...ATTRIBUTES, maxAge: 600 }));

    expect(line).to.match(/^a=1; Max-Age=600; Path=\//);
  });

  it('keeps the cookies that the host application sets', async () => {
    const app = express();
    app.get('/', (incoming, response) => {
      response.cookie('theirs', '1');
      cookiesOf(incoming).set('a', '1', ATTRIBUTES);
      response.end();
    });

    const { headers } = await request(app).get('/');

    expect(headers['set-cookie']).to.have.length(2).and.to.include('theirs=1; Path=/');
  });

  it('throws for a request that Express has not linked to a response', () => {
    expect(() => cookiesOf({ headers: {} } as Request)).to.throw('The request has no response.');
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
