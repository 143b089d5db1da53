import { expect } from 'chai';
import { setTimeout } from 'node:timers/promises';
import { LINK_SECRET, sessionAnswer, tokenAnswer } from '../../support/identity-answers.js';
import { startServiceWithAuth, type ServiceWithAuth } from '../../support/start-service-with-auth.js';
import { parseFields } from '../../support/structured-fields.js';

const SEND = 'POST /account/tokens/magic-url';
const EXCHANGE = 'POST /account/sessions/token';

describe('The limits for requesting and using links', () => {
  let running: ServiceWithAuth;
  beforeEach(async () => {
    running = await startServiceWithAuth({}, { trustProxy: 1 });
  });
  afterEach(() => running.close());

  const ask = (email: string, network: string) =>
    running.browser().post('/api/v1/auth/signup', { email }, { 'x-forwarded-for': network });
  const open = (link: string, network: string) =>
    running.browser().send(link, { headers: { 'x-forwarded-for': network } });
  const mails = () => running.auth.server.requestsTo(SEND).length;

  /** An answer without what necessarily differs between answers. */
  async function traceOf(answer: Response): Promise<string> {
    const headers = [...answer.headers]
      .filter(([name]) => !['date', 'x-request-id', 'etag'].includes(name))
      .map(([name, value]) => `${name}: ${value.replace(/\d+|:[\w+/=]+:|_link=[^;]+/g, '#')}`);
    const body = (await answer.text()).replace(/"(token|instance)":"[^"]*"/g, '"$1":"#"');
    return [answer.status, ...headers, body.replace(/\d+/g, '#')].join('\n');
  }

  it('RATE-02: are the same for a known and a new address', async () => {
    running.auth.server.on(SEND, ({ body }) => {
      const { email, userId } = JSON.parse(body) as { email: string; userId: string };
      return { status: 201, json: tokenAnswer(email.startsWith('known') ? 'known-since-long' : userId) };
    });

    const traces: Record<string, string[]> = { known: [], new: [] };
    for (const [who, network] of [
      ['known', '192.0.2.1'],
      ['new', '192.0.2.2'],
    ] as const) {
      for (let times = 0; times < 3; times += 1) {
        traces[who]?.push(await traceOf(await ask(`${who}@example.org`, network)));
      }
    }

    expect(traces.known?.map((trace) => trace.slice(0, 3))).to.deep.equal(['200', '429', '429']);
    expect(traces.known).to.deep.equal(traces.new);
  });

  it('RATE-02: let an address at its limit still sign in with the link it has', async () => {
    await ask('ada@example.org', '192.0.2.1');
    const st = running.auth.lastState();
    for (let network = 2; network < 10; network += 1) {
      expect((await ask('ada@example.org', `192.0.2.${network}`)).status).to.equal(429);
    }

    const answer = await open(`/login?userId=ada&secret=${LINK_SECRET}&st=${st}`, '192.0.2.1');

    expect(answer.status).to.equal(302);
  });

  it('RATE-01: send one mail a minute to an address, however it is written, for a hundred networks', async () => {
    const spellings = ['ada@example.org', 'Ada+1@example.org', 'ADA+x@EXAMPLE.org', 'ada+2@ｅxample.org'];
    for (let network = 0; network < 100; network += 1) {
      await ask(spellings[network % spellings.length] ?? '', `192.0.2.${network}`);
    }

    expect(mails()).to.equal(1);
  }).timeout(60_000);

  it('RATE-01: report a malformed address as such, however often it is sent', async () => {
    for (let times = 0; times < 4; times += 1) {
      expect((await ask('ada@example.org#', '192.0.2.1')).status).to.equal(400);
    }

    expect((await ask('ada@example.org', '192.0.2.1')).status).to.equal(200);
    expect((await ask('ada@', '192.0.2.1')).status).to.equal(429); // The network's own limit counts them.
  });

  it('RATE-01: do not count addresses that get no mail towards the total', async () => {
    for (let index = 0; index < 70; index += 1) await ask('eve@evil.example', `192.0.2.${index}`);

    expect((await ask('ada@example.org', '192.0.2.200')).status).to.equal(200);
  }).timeout(60_000);

  it('RATE-01, RATE-05: answer the eleventh failed link of a network with 429, and state when to try again', async () => {
    const bad = '/login?userId=ada&secret=a%20b';
    const statuses: number[] = [];
    for (let times = 0; times < 10; times += 1) statuses.push((await open(bad, '192.0.2.1')).status);

    const refused = await open(bad, '192.0.2.1');

    expect(new Set(statuses)).to.deep.equal(new Set([401]));
    expect(refused.status).to.equal(429);
    const [policy] = parseFields(refused.headers.get('ratelimit-policy'));
    const [left] = parseFields(refused.headers.get('ratelimit'));
    expect(policy).to.deep.include({ item: 'login-failures' });
    expect(policy?.parameters).to.include({ q: 10, w: 900 });
    expect(left?.parameters).to.include({ r: 0 });
    const retryAfter = Number(refused.headers.get('retry-after'));
    expect(retryAfter).to.be.within(1, 900);
    expect(retryAfter).to.be.at.least(Number(left?.parameters.t));
    expect(await refused.json()).to.include({ code: 'rate_limited' });
    expect((await open(bad, '192.0.2.2')).status).to.equal(401);
  });

  it('RATE-01: count links that are opened at the same time only once they fail', async () => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        open(`/login?userId=person-${index}&secret=${LINK_SECRET}`, '192.0.2.1'),
      ),
    );

    expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([302]));
  });

  it('RATE-01: count a failed link even if the client did not wait for the answer', async () => {
    running.auth.server.on(EXCHANGE, 'hang');
    for (let times = 1; times <= 10; times += 1) {
      const leaving = new AbortController();
      const answer = fetch(`${running.service.url}/login?userId=ada&secret=link-${times}`, {
        headers: { 'x-forwarded-for': '192.0.2.1' },
        signal: leaving.signal,
      }).catch(() => undefined);
      while (running.auth.server.requestsTo(EXCHANGE).length < times) await setTimeout(5);
      leaving.abort();
      await answer;
    }
    running.auth.server.on(EXCHANGE, { status: 201, json: sessionAnswer('ada') });
    const statusOf = async () => (await open(`/login?userId=ada&secret=${LINK_SECRET}`, '192.0.2.1')).status;

    // The server learns of the last ones a moment later. A link that works does not count, so a request changes
    // nothing.
    while ((await statusOf()) !== 429) await setTimeout(20);
  });

  it('RATE-03: treat an IPv6 /64 as one network', async () => {
    const seen: number[] = [];
    for (let host = 1; host <= 6; host += 1) {
      seen.push((await ask(`p${host}@example.org`, `2001:db8:0:1::${host}`)).status);
    }
    seen.push((await ask('p7@example.org', '2001:db8:0:2::1')).status);

    expect(seen).to.deep.equal([200, 200, 200, 200, 200, 429, 200]);
  });

  it('RATE-05: describe every limit of a refused link in a structured field', async () => {
    await ask('ada@example.org', '192.0.2.1');

    const refused = await ask('ada@example.org', '192.0.2.2');

    expect(refused.status).to.equal(429);
    const used = parseFields(refused.headers.get('ratelimit')).find(({ parameters }) => parameters.r === 0);
    expect(used?.item).to.equal('address-minute');
    expect(Number(refused.headers.get('retry-after'))).to.be.at.least(Number(used?.parameters.t));
    const policies = parseFields(refused.headers.get('ratelimit-policy')).map(({ item }) => item);
    expect(policies).to.include.members(['network-minute', 'network-hour', 'address-minute']);
  });
});
