import { expect } from 'chai';
import type { RunningServer } from '../../../src/server/start-server.js';
import { SignInClient } from '../../support/sign-in-client.js';
import { startWholeService } from '../../support/start-whole-service.js';

const ASKED = '/dashboard/forms?status=incomplete';

describe('A person who signs in', () => {
  let service: RunningServer;
  let client: SignInClient;
  before(async () => {
    service = await startWholeService({
      SHOW_ALLOWED_DOMAINS: 'true',
      ALLOWED_DOMAINS_REGEXP: 'example\\.org|uni\\.example',
      SESSION_SCOPES: 'project:read,records:read',
    });
  });
  after(() => service.stop());
  beforeEach(() => {
    client = new SignInClient(service.url);
  });

  const form = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' };

  /** Returns where the link in the mail leads. */
  async function landing(): Promise<string | null> {
    return (await client.send(await client.link('ada@example.org'))).headers.get('location');
  }

  it('lands on the page that they asked for, once', async () => {
    const asked = await client.send(ASKED);

    expect(asked.headers.get('location')).to.equal('/login');
    expect(await landing()).to.equal(ASKED);
    expect(await landing()).to.equal('/dashboard');
  });

  it('lands there too after the button of the confirmation page', async () => {
    await client.send('/dashboard/sessions');
    const { searchParams } = new URL(await client.link('ada@example.org'));
    const confirmed = await client.post('/login/confirm', new URLSearchParams(searchParams).toString(), form);

    expect(confirmed.status).to.equal(303);
    expect(confirmed.headers.get('location')).to.equal('/dashboard/sessions');
  });

  it('lands on the dashboard in another browser, and after a form', async () => {
    const elsewhere = new SignInClient(service.url);
    await elsewhere.send(ASKED);
    await client.post('/dashboard/sessions/end', 'id=1', form);

    expect(await landing()).to.equal('/dashboard');
  });

  for (const address of ['//evil.example', '/%5Cevil.example/..//evil.example', 'https://evil.example/'])
    it(`LOGIN-13: does not land on another origin, whatever is in the cookie: ${address}`, async () => {
      client.cookies.set('crf_return_to', encodeURIComponent(address));

      expect(new URL((await landing()) ?? '', service.url).origin).to.equal(new URL(service.url).origin);
    });

  it('reads which domains are allowed, as an application does', async () => {
    const page = await client.post('/login/send', 'email=mallory%40example.com', form);
    const answer = await client.post('/api/v1/auth/signup', { email: 'mallory@example.com' });

    expect(page.status).to.equal(403);
    expect(await page.text()).to.include('one of these: example.org or uni.example.');
    expect(await answer.text()).to.include('Use an address of example.org or uni.example.');
  });

  it('gets the mail in their own language', async () => {
    await client.post('/login/send', 'email=grace%40example.org', { ...form, 'accept-language': 'de-AT' });
    await client.post('/api/v1/auth/signup', { email: 'ada@uni.example' }, { 'accept-language': 'en' });
    const answer = await client.send('/sandbox/mailbox', { headers: { accept: 'application/json' } });
    const { data } = (await answer.json()) as { data: { to: string; subject: string }[] };
    const subjectFor = (address: string) => data.find(({ to }) => to === address)?.subject;

    expect(subjectFor('grace@example.org')).to.match(/: Anmeldung$/);
    expect(subjectFor('ada@uni.example')).to.match(/ Login$/);
  });
});

describe('The settings of the sign-in', () => {
  it('show the allowed domains only if they are a list', async () => {
    let refusal = '';
    try {
      const service = await startWholeService({
        SHOW_ALLOWED_DOMAINS: 'true',
        ALLOWED_DOMAINS_REGEXP: '.*\\.example\\.org',
      });
      await service.stop();
    } catch (error) {
      refusal = JSON.stringify(error instanceof Error && 'errors' in error ? error.errors : error);
    }

    expect(refusal).to.include('showAllowedDomains').and.include('only lists domains');
    expect(refusal).to.not.include('example');
  });

  it('decide what the help speaks of', async () => {
    const helpOf = async (settings: Record<string, string>) => {
      const service = await startWholeService(settings);
      const page = await (await fetch(`${service.url}/help`)).text();
      await service.stop();
      return page;
    };
    const plain = await helpOf({ ALLOW_ANONYMOUS: 'false', SESSION_SCOPES: 'project:read' });
    const other = await helpOf({ LOGIN_CONFIRM: 'unbound', SESSION_SCOPES: 'project:read,records:read' });

    expect(plain).to.include('The dashboard shows little').and.not.include('Get a code');
    expect(other).to.include('Get a code').and.not.include('The dashboard shows little');
  });
});
