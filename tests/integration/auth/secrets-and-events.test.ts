import { expect } from 'chai';
import { Writable } from 'node:stream';
import { createLogger } from '../../../src/server/logging/logger.js';
import { appwriteError } from '../../support/recording-identity-server.js';
import { startServiceWithAuth, type ServiceWithAuth } from '../../support/start-service-with-auth.js';
import { PREFIX } from '../../support/start-service.js';

describe('The visible traces of a sign-in', () => {
  let running: ServiceWithAuth;
  let log: string[];

  beforeEach(async () => {
    log = [];
    const destination = new Writable({
      write(chunk: Buffer, _encoding, done) {
        log.push(chunk.toString());
        done();
      },
    });
    const logger = await createLogger({ level: 'trace', destination });
    running = await startServiceWithAuth({}, { logger });
  });
  afterEach(() => running.close());

  it('LOG-01: contain neither the link nor the address in the log, whatever the outcome', async () => {
    const secret = 'SENTINEL-secret-0123456789';
    const address = 'sentinel.person@example.org';
    const browser = running.browser();

    await browser.post('/api/v1/auth/signup', { email: address });
    await browser.post('/api/v1/auth/signup', { email: 'sentinel.person@elsewhere.test' });
    await browser.send(`/login?userId=sentinel.person&secret=${secret}&st=SENTINEL-state`);
    await browser.send(`/login?userId=sentinel.person&secret=${secret}`);
    await browser.send('/api/v1/auth/me');
    running.auth.server.on('POST /account/sessions/token', appwriteError(500, 'general_unknown', secret));
    await running.browser().send(`/login?userId=sentinel.person&secret=${secret}`);
    await browser.post('/api/v1/auth/logout');

    const text = log.join('');
    const requests = text.split('\n').filter((line) => line.includes('"msg":"request"'));
    expect(requests, 'lines of requests').to.have.length(7);
    expect(text).to.include('"route":"/login"');
    expect(text).to.not.match(/SENTINEL|sentinel\.person@/);
    expect(text).to.not.include('userId=').and.to.not.include(address);
  });

  it('LOG-04: include a sign-in, a sign-out and a deletion as events that identify no one', async () => {
    const typesSince = (start: number) => running.auth.events.slice(start).map(({ type }) => type);

    const browser = await running.signedIn('ada');
    expect(typesSince(0)).to.include('session.created').and.to.include('link.used');
    expect(running.auth.events.find(({ type }) => type === 'session.created')).to.have.all.keys(
      'type',
      'at',
      'actor',
    );

    let seen = running.auth.events.length;
    await browser.post('/api/v1/auth/logout');
    expect(typesSince(seen)).to.deep.equal(['session.ended']);

    const again = await running.signedIn('ada');
    seen = running.auth.events.length;
    await again.send('/api/v1/auth/account', {
      method: 'DELETE',
      headers: { 'sec-fetch-site': 'same-origin' },
    });
    expect(typesSince(seen)).to.deep.equal(['account.sessions-ended', 'account.deleted']);
    expect(JSON.stringify(running.auth.events)).to.not.match(/\bada\b|example/);
  });

  it("SESS-07: do not let a deleted person's other sessions continue", async () => {
    const [browser, other, stranger] = [
      await running.signedIn('ada'),
      await running.signedIn('ada'),
      await running.signedIn('alan'),
    ];
    for (const client of [other, stranger]) expect(await client.status('/api/v1/auth/me')).to.equal(200);

    await browser.send('/api/v1/auth/account', {
      method: 'DELETE',
      headers: { 'sec-fetch-site': 'same-origin' },
    });
    running.auth.server.on('GET /account', appwriteError(401, 'general_unauthorized_scope'));

    expect(await other.status('/api/v1/auth/me'), 'of the same person').to.equal(401);
    expect(await stranger.status('/api/v1/auth/me'), 'of somebody else, believed for a while').to.equal(200);
  });

  it('SESS-07: nor after a deletion that failed once the sessions had ended', async () => {
    const [browser, other] = [await running.signedIn('ada'), await running.signedIn('ada')];
    expect(await other.status('/api/v1/auth/me')).to.equal(200);
    running.auth.server.on('DELETE /users/*', appwriteError(500, 'general_unknown'));

    const broken = await browser.status('/api/v1/auth/account', {
      method: 'DELETE',
      headers: { 'sec-fetch-site': 'same-origin' },
    });
    running.auth.server.on('GET /account', appwriteError(401, 'general_unauthorized_scope'));

    expect(broken).to.equal(503);
    expect(await other.status('/api/v1/auth/me')).to.equal(401);
  });

  it("LOGIN-12: leave no answer of /login in caches, search engines, other sites' logs or third-party loads", async () => {
    const page = { headers: { accept: 'text/html' } };
    const link = (name: string) => `/login?userId=ada&secret=${name}`;
    const unavailable = appwriteError(500, 'general_unknown');
    const answers = [
      await running.browser().send('/login', page),
      await running.browser().send(link('good'), page),
      await running.browser().send(link('a%20b'), page),
      await running.browser().send('/login?x=1', page),
    ];
    running.auth.server.on('POST /account/sessions/token', unavailable);
    answers.push(await running.browser().send(link('later'), page));

    expect(answers.map(({ status }) => status)).to.deep.equal([200, 302, 401, 400, 503]);
    for (const { status, headers } of answers) {
      expect(headers.get('cache-control'), String(status)).to.equal('no-store');
      expect(headers.get('referrer-policy'), String(status)).to.equal('no-referrer');
      if (status !== 302) expect(headers.get('x-robots-tag'), String(status)).to.equal('noindex');
      expect(headers.get('content-security-policy'), String(status))
        .to.match(/^default-src 'none';/)
        .and.to.match(/frame-ancestors 'none'/)
        .and.to.not.match(/https?:|\*|unsafe/);
    }
    for (const answer of answers.filter(({ status }) => status !== 302)) {
      expect(await answer.text()).to.not.match(/(?:src|href|action)="(?:https?:)?\/\//);
    }
    expect(answers[1]?.headers.get('location')).to.equal(`${PREFIX}/dashboard`);
  });
});
