import { expect } from 'chai';
import { startServiceWithAuth, type ServiceWithAuth } from '../../support/start-service-with-auth.js';

const ADDRESS = '"email":"ada@example.org"';

describe('A malicious request for a link', () => {
  let running: ServiceWithAuth;

  beforeEach(async () => {
    running = await startServiceWithAuth();
  });
  afterEach(() => running.close());

  const ask = (body: string, path = '/api/v1/auth/signup') => running.browser().post(path, body);

  it('IN-03: is refused with 413 if it is longer than any address, and sends no mail', async () => {
    const answer = await ask(`{${ADDRESS},"x":"${'x'.repeat(4096)}"}`);

    expect(answer.status).to.equal(413);
    expect(await answer.json()).to.include({ code: 'payload_too_large' });
    expect(running.auth.server.requests).to.deep.equal([]);
  });

  it('IN-03: may have brackets inside a string', async () => {
    const answer = await ask(JSON.stringify({ email: `${'['.repeat(40)}"\\` }));

    expect(await answer.json()).to.include({ code: 'invalid_identifier' });
  });

  for (const key of ['__proto__', 'constructor', 'prototype']) {
    for (const body of [
      `{${ADDRESS},"${key}":1}`,
      `{${ADDRESS},"x":[{"${key}":{}}]}`,
      `{${ADDRESS},"\\u00${key.charCodeAt(0).toString(16)}${key.slice(1)}":1}`,
    ]) {
      it(`IN-04: is refused with 400 for ${body}, and changes no prototype`, async () => {
        const answer = await ask(body);

        expect(answer.status).to.equal(400);
        expect(await answer.json()).to.include({ code: 'malformed_request' });
        expect(({} as Record<string, unknown>)['polluted']).to.equal(undefined);
        expect(running.auth.server.requests).to.deep.equal([]);
      });
    }
  }

  it('IN-05: is refused with the name of an unknown property, without its value', async () => {
    const answer = await ask(`{${ADDRESS},"role":"SENTINEL"}`);
    const text = await answer.text();

    expect(answer.status).to.equal(400);
    expect(JSON.parse(text)).to.include({ code: 'invalid_request' });
    expect(text).to.include('role').and.to.not.include('SENTINEL');
    expect(running.auth.server.requests).to.deep.equal([]);
  });

  for (const [name, body] of [
    ['no address', '{"email":"SENTINEL"}'],
    ['an address of another domain', '{"email":"a@SENTINEL.test"}'],
    ['a list', '{"email":["SENTINEL"]}'],
    ['an object', '{"email":{"SENTINEL":1}}'],
    ['a long text', `{"email":"${'SENTINEL'.repeat(100)}@example.org"}`],
    ['no JSON', '{"email":SENTINEL}'],
    ['a text', '"SENTINEL"'],
  ] as const) {
    it(`IN-07: is refused for ${name}, which is not repeated`, async () => {
      const answer = await ask(body);

      expect(answer.status).to.be.oneOf([400, 403]);
      expect(await answer.text()).to.not.match(/SENTINEL/i);
      expect(running.auth.server.requests).to.deep.equal([]);
    });
  }

  it('IN-07: is refused without repeating a parameter of the URL, on any route', async () => {
    const browser = await running.signedIn('ada');
    const asked = running.auth.server.requests.length;
    for (const path of [
      '/login?SENTINEL=1',
      '/login?userId=SENTINEL&userId=b',
      '/login?userId[]=SENTINEL&secret=SENTINEL',
      '/api/v1/auth/me?SENTINEL=SENTINEL',
    ]) {
      const answer = await browser.send(path);

      expect(answer.status, path).to.equal(400);
      const { errors = [] } = (await answer.json()) as { errors?: { message: string }[] };
      expect(JSON.stringify(errors.map(({ message }) => message)), path).to.not.include('SENTINEL');
    }
    expect(running.auth.server.requests.length).to.equal(asked);
  });
});
