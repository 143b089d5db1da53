import { expect } from 'chai';
import { QUALITY_RULES } from '../../../src/records/rules/quality-finding.js';
import type { RunningServer } from '../../../src/server/start-server.js';
import { startWholeService } from '../../support/start-whole-service.js';
import { signedInClient } from '../../support/every-page.js';

describe('LANG-01: the language of a page', () => {
  let service: RunningServer;
  before(async () => {
    service = await startWholeService({ SESSION_SCOPES: 'project:read,records:read' });
  });
  after(() => service.stop());

  function open(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(service.url + path, { headers: { accept: 'text/html', ...headers } });
  }

  async function languageOf(path: string, headers?: Record<string, string>): Promise<string | undefined> {
    return /<html lang="(\w+)">/.exec(await (await open(path, headers)).text())?.[1];
  }

  function choose(body: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`${service.url}/language`, {
      method: 'POST',
      redirect: 'manual',
      headers,
      body: new URLSearchParams(body),
    });
  }

  for (const [accepted, language] of [
    [undefined, 'en'],
    ['de', 'de'],
    ['de-CH,de;q=0.9,en;q=0.8', 'de'],
    ['en-US,en;q=0.9,de;q=0.8', 'en'],
    ['fr,de;q=0.5', 'de'],
    ['fr', 'en'],
    ['*', 'en'],
    ['de;q=0, en', 'en'],
    ['no language at all ;;;', 'en'],
  ] as const)
    it(`is ${language} for a browser that asks for ${accepted ?? 'none'}`, async () => {
      expect(
        await languageOf('/login', accepted === undefined ? {} : { 'accept-language': accepted }),
      ).to.equal(language);
    });

  it('is that of error pages too, whose message for programs stays English and says so', async () => {
    const page = await (await open('/api/v1/records?nonesuch=1', { 'accept-language': 'de' })).text();

    expect(page).to.include('<html lang="de">').and.include('<h1>Die Anfrage ist ungültig</h1>');
    expect(page).to.match(/<p lang="en">[^<]*nonesuch/);
  });

  it('is that of findings, whatever their rule says', async () => {
    const client = await signedInClient(service.url);
    const findings = async (rule: string) =>
      (
        await client.send(`/dashboard/findings?rule=${rule}`, {
          headers: { accept: 'text/html', 'accept-language': 'de' },
        })
      ).text();

    expect(await findings('required_empty')).to.include('ist ein Pflichtfeld und leer');
    expect(await findings('contradicting_status')).to.include('sagt „vollständig“, obwohl');
    for (const rule of QUALITY_RULES) expect(await findings(rule), rule).to.not.include('<span lang="en">');
  });

  it('is the one that the reader has chosen, whatever the browser asks for, and leads back to the page', async () => {
    const answer = await choose({ language: 'de', to: '/login?x=1&y=%20' });
    const [cookie = ''] = answer.headers.getSetCookie();

    expect(answer.status).to.equal(303);
    expect(answer.headers.get('location')).to.equal('/login?x=1&y=%20');
    expect(cookie).to.match(/^crf_language=de; Max-Age=31536000; Path=\/;.* HttpOnly; SameSite=Lax$/);
    expect(await languageOf('/help', { cookie: 'crf_language=de', 'accept-language': 'en' })).to.equal('de');
    expect(await languageOf('/help', { cookie: 'crf_language=en', 'accept-language': 'de' })).to.equal('en');
    expect(await languageOf('/help', { cookie: 'crf_language=tlh', 'accept-language': 'de' })).to.equal('de');
  });

  it('can be chosen on every page that was opened, and on none that a form led to', async () => {
    const page = await (await open('/help?a=1&b="')).text();
    const refused = await fetch(`${service.url}/login/send`, {
      method: 'POST',
      headers: { accept: 'text/html' },
      body: new URLSearchParams({ email: 'nobody' }),
    });

    expect(page).to.include('action="/language"').and.include('name="to" value="/help?a=1&amp;b=%22"');
    expect(page).to.match(/<button[^>]* value="de" lang="de">\s*Deutsch/);
    expect(await refused.text()).to.not.include('action="/language"');
  });

  it('LOGIN-13: leads to no other origin, and to the start page without an address', async () => {
    for (const to of ['//evil.example', '/\\evil.example', '/.//evil.example', 'https://evil.example/', ''])
      expect((await choose({ language: 'de', to })).headers.get('location'), to).to.equal('/');
    expect((await choose({ language: 'de' })).headers.get('location')).to.equal('/');
  });

  it('is not chosen by a page of another site, nor is any but those that there are', async () => {
    const foreign = await choose({ language: 'de' }, { 'sec-fetch-site': 'cross-site' });
    const unknown = await choose({ language: 'tlh' });

    expect(foreign.status).to.equal(403);
    expect(unknown.status).to.equal(400);
    expect(await unknown.text())
      .to.include('must be one of en, de')
      .and.not.include('tlh');
    expect([foreign, unknown].flatMap(({ headers }) => headers.getSetCookie())).to.deep.equal([]);
  });

  it('is one of the reasons for which a cache would have to keep two pages apart', async () => {
    for (const path of ['/', '/login', '/help', '/docs/', '/nowhere'])
      expect((await open(path)).headers.get('vary'), path)
        .to.include('Accept-Language')
        .and.include('Cookie');
  });
});
