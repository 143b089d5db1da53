import { expect } from 'chai';
import type { RunningServer } from '../../../src/server/start-server.js';
import { SignInClient } from '../../support/sign-in-client.js';
import { startWholeService } from '../../support/start-whole-service.js';

const ADA = 'ada.lovelace@example.org';
const ALAN = 'alan.turing@example.org';
const PAGE = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const SESSION = 'crf_session';

describe('Opening a link while another account is signed in', () => {
  let service: RunningServer;
  let browser: SignInClient;
  let link: string;
  let adasCookie: string;

  beforeEach(async () => {
    service = await startWholeService({ ALLOW_ANONYMOUS: 'false' });
    browser = new SignInClient(service.url);
    await browser.signIn(ADA);
    adasCookie = browser.cookies.get(SESSION) ?? '';
    link = await new SignInClient(service.url).link(ALAN);
  });
  afterEach(() => service.stop());

  async function personOf(cookie: string | undefined): Promise<string | number> {
    const client = new SignInClient(service.url);
    client.cookies.set(SESSION, cookie ?? '');
    const answer = await client.send('/api/v1/auth/me');
    if (answer.status !== 200) return answer.status;
    return ((await answer.json()) as { data: { email: string } }).data.email;
  }

  it('LOGIN-11: shows a page with one button and the masked new account, and changes nothing', async () => {
    const answer = await browser.send(link, PAGE);
    const page = await answer.text();

    expect(answer.status).to.equal(200);
    expect(page).to.include('a•••@example.org').and.not.include(ALAN);
    const [main = ''] = /<main[^]*<\/main>/.exec(page) ?? [];
    expect(main.match(/<button/g)).to.have.length(1);
    expect(answer.headers.getSetCookie()).to.deep.equal([]);
    expect(await personOf(adasCookie)).to.equal(ADA);
  });

  it('LOGIN-11: signs in only the new account after the button, and ends the old session', async () => {
    await browser.send(link, PAGE);

    const answer = await browser.post('/login/confirm', new URL(link).searchParams.toString(), FORM);

    expect([answer.status, answer.headers.get('location')]).to.deep.equal([303, '/dashboard']);
    expect(await personOf(browser.cookies.get(SESSION))).to.equal(ALAN);
    expect(await personOf(adasCookie)).to.equal(401);
  });

  for (const accept of ['application/json', 'application/problem+json', '*/*']) {
    it(`LOGIN-11: is refused for a program that accepts ${accept}, and the link stays valid`, async () => {
      const answer = await browser.send(link, { headers: { accept } });

      expect(answer.status).to.equal(409);
      expect(await answer.json()).to.include({ code: 'other_account_signed_in' });
      expect(answer.headers.getSetCookie()).to.deep.equal([]);
      expect(await personOf(adasCookie)).to.equal(ADA);
      await browser.post('/api/v1/auth/logout');
      expect((await browser.send(link, { headers: { accept } })).status).to.equal(302);
    });
  }

  it('LOGIN-11: cannot be confirmed by a page of another site', async () => {
    const fields = new URL(link).searchParams.toString();
    const foreign = { ...FORM, 'sec-fetch-site': 'cross-site' };

    expect((await browser.post('/login/confirm', fields, foreign)).status).to.equal(403);
    expect(await personOf(adasCookie)).to.equal(ADA);
  });

  it('LOGIN-08: does not reveal to a signed-in person either what is wrong with a link', async () => {
    const changed = (name: string, value: string): string => {
      const url = new URL(link);
      url.searchParams.set(name, value);
      return url.toString();
    };
    const links = [
      changed('secret', '<SENTINEL>'),
      changed('userId', 'SENTINEL-user'),
      changed('userId', 'grace.hopper'),
      changed('st', 'SENTINEL'),
    ];

    const seen = new Set<string>();
    for (const candidate of links) {
      const answer = await browser.send(candidate, PAGE);
      const text = (await answer.text()).replace(answer.headers.get('x-request-id') ?? '-', 'ID');
      expect(text).to.not.include('SENTINEL');
      seen.add(`${answer.status} ${text}`);
    }
    expect([...seen]).to.have.length(1);
    expect([...seen][0]).to.match(/^401 /);
  });
});
