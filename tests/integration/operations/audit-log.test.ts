import { expect } from 'chai';
import { get as httpGet, request as httpRequest, type IncomingMessage } from 'node:http';
import { pino } from 'pino';
import request from 'supertest';
import type { CreateAppOptions } from '../../../src/app/create-app-options.js';
import type { AuditTrail } from '../../../src/services/audit/audit-trail.js';
import { OPERATIONS } from '../../support/api-operations.js';
import { startMemoryAudit, type MemoryAudit, type WrittenEntry } from '../../support/memory-audit.js';
import { keyWith, startService, type TestService } from '../../support/start-service.js';
import { startServiceWithAuth } from '../../support/start-service-with-auth.js';

/** Operations that read or change data: those that require more than project:read. */
const AUDITED = OPERATIONS.filter(({ scopes }) => scopes.some((scope) => scope !== 'project:read'));

const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };

/** Calls, with the counts of their final entry: at least this many, or all bytes of the answer. */
const COUNTED: readonly {
  readonly method: string;
  readonly path: string;
  readonly body?: string | object;
  readonly what: Readonly<Record<string, number | 'all bytes'>>;
}[] = [
  {
    method: 'PUT',
    path: '/api/v1/records/COHORT-2026-PARTICIPANT-0001/files/consent_form',
    body: 'a consent',
    what: { bytes: 9, count: 1 },
  },
  {
    method: 'GET',
    path: '/api/v1/records/COHORT-2026-PARTICIPANT-0001/files/consent_form',
    what: { bytes: 'all bytes' },
  },
  { method: 'GET', path: '/api/v1/records/COHORT-2026-PARTICIPANT-0001/pdf', what: { bytes: 'all bytes' } },
  { method: 'GET', path: '/api/v1/project/xml', what: { bytes: 'all bytes' } },
  { method: 'GET', path: '/api/v1/records/COHORT-2026-PARTICIPANT-0001', what: { rows: 1 } },
  { method: 'GET', path: '/api/v1/records?values=typed', what: { rows: 20 } },
  { method: 'GET', path: '/api/v1/instruments/demographics/rows', what: { rows: 20 } },
  { method: 'GET', path: '/api/v1/project/users', what: { rows: 1 } },
  {
    method: 'PUT',
    path: '/api/v1/project/users',
    body: { data: [{ username: 'grace.hopper' }, { username: 'alan.turing' }] },
    what: { count: 2 },
  },
  { method: 'DELETE', path: '/api/v1/project/users/alan.turing', what: { count: 1 } },
  { method: 'DELETE', path: '/api/v1/records/COHORT-2026-PARTICIPANT-0003', what: { count: 1 } },
  { method: 'GET', path: '/api/v1/log', what: { rows: 1 } },
];

describe('The audit log', () => {
  let log: MemoryAudit;
  let audit: AuditTrail;
  let service: TestService;

  before(async () => {
    ({ log, audit } = await startMemoryAudit());
    service = await startService({ audit });
  });
  after(() => service.close());
  afterEach(() => (log.isFull = false));

  const send = (method: string, path: string) => {
    const client = request(service.url);
    return client[method.toLowerCase() as 'get'](path)
      .set('Authorization', service.authorization)
      .set('X-Request-Id', 'under-test');
  };
  const entriesSince = (start: number): WrittenEntry[] => log.entries.slice(start);

  for (const { id, template, method, bodies, scopes } of AUDITED) {
    it(`GW-04: has an entry for ${method} ${template} before it runs and before it is confirmed`, async () => {
      const start = log.lines.length;
      const path = template.replace(/\{\w+\}/g, 'a1');
      const [type] = Object.keys(bodies);

      const sent = send(method, path);
      await (type === undefined ? sent : sent.set('Content-Type', type).send('{}'));

      const calls = entriesSince(start).filter(({ event }) => event.startsWith('call.'));
      expect(calls.map(({ event }) => event)).to.deep.equal(['call.begun', 'call.ended']);
      for (const call of calls) {
        expect(call).to.include({
          operation: id,
          requestId: 'under-test',
          actor: 'key:test',
          network: '127.0.0.0/24',
        });
      }
      expect(calls[0]?.scopes).to.deep.equal(scopes);
    });
  }

  it('GW-04: records the fields, filter fields and row count of an export, and no value', async () => {
    const start = log.lines.length;
    const { body } = await send('GET', '/api/v1/records').query({
      fields: 'record_id,age',
      filterLogic: '[age] > 40',
    });
    const [begun, ended] = entriesSince(start);

    expect(begun?.what).to.deep.equal({ fields: ['record_id', 'age'], filterFields: ['age'] });
    expect(ended).to.deep.include({ outcome: 'ok', status: 200, what: { rows: body.data.length } });
    expect(body.data).to.not.be.empty;
  });

  for (const [query, accept] of [
    [{ batchSize: 50 }, 'application/json'],
    [{ batchSize: 50, trailer: true }, 'application/x-ndjson'],
    [{ trailer: true }, 'application/x-ndjson'],
    [{ limit: 9 }, 'text/csv'],
    [{ pageSize: 3 }, 'application/json'],
  ] as const) {
    it(`GW-04: counts the rows of ${accept} with ${JSON.stringify(query)}`, async () => {
      const start = log.lines.length;
      const parameters = new URLSearchParams({ fields: 'record_id,age' });
      for (const [name, value] of Object.entries(query)) parameters.set(name, String(value));
      const response = await fetch(`${service.url}/api/v1/records?${parameters.toString()}`, {
        headers: { accept, authorization: service.authorization },
      });
      const text = await response.text();
      const [, ended] = entriesSince(start);

      expect(ended?.what?.rows).to.equal(rowsIn(text, accept));
      // Batches and pages know their records, which then are named. A single call does not.
      const isListed = 'batchSize' in query || 'pageSize' in query;
      expect(ended?.what?.records ?? []).to.have.length(isListed ? rowsIn(text, accept) : 0);
    });
  }

  it('GW-04: records how many records an import stored', async () => {
    const start = log.lines.length;
    await send('POST', '/api/v1/records').send({
      records: [{ record_id: 'COHORT-2026-PARTICIPANT-9001', age: '41' }],
    });
    const [, ended] = entriesSince(start);

    expect(ended).to.include({ outcome: 'ok' });
    expect(ended?.what).to.deep.include({ imported: 1, batches: 1 });
    expect(ended?.what?.records).to.have.length(1);
    expect(log.lines.slice(start).join()).to.not.include('COHORT').and.to.not.include('"41"');
  });

  it('LOG-04: names the records of a large import while it runs, a thousand in an entry', async () => {
    const start = log.lines.length;
    const records = Array.from({ length: 2100 }, (_, at) => ({
      record_id: `MANY-2026-PARTICIPANT-${at + 1}`,
    }));
    await send('POST', '/api/v1/records').send({ records });
    const named = entriesSince(start).map(({ event, what }) => [event, listed(what?.records).length]);

    expect(named).to.deep.equal([
      ['call.begun', 0],
      ['call.records', 1000],
      ['call.records', 1000],
      ['call.ended', 100],
    ]);
    const [, first] = entriesSince(start);
    expect(first).to.include({ requestId: 'under-test', actor: 'key:test', operation: 'ImportRecords' });
    expect(new Set(entriesSince(start).flatMap(({ what }) => listed(what?.records))).size).to.equal(2100);
  });

  it('LOG-04: gives a record one pseudonym, in the path, in a list, in a query and in an import, in any case', async () => {
    const id = 'COHORT-2026-PARTICIPANT-0007';
    const start = log.lines.length;
    await send('GET', `/api/v1/records/${id}`);
    await send('GET', '/api/v1/records').query({ records: id.toLowerCase() });
    await send('GET', '/api/v1/log').query({ record: id });
    await send('POST', '/api/v1/records').send({ records: [{ record_id: id, age: '40' }] });
    await send('POST', `/api/v1/records/COHORT-2026-PARTICIPANT-0008/rename`).send({ newRecord: id });
    const whats = entriesSince(start).map(({ what }) => what ?? {});

    const pseudonym = whats[0]?.record;
    expect(pseudonym).to.match(/^[0-9a-f]{16}$/);
    expect(whats[2]?.records).to.deep.equal([pseudonym]);
    expect(whats[4]?.record).to.equal(pseudonym);
    expect(whats[7]?.records).to.deep.equal([pseudonym]);
    expect(whats[8]?.newRecord).to.equal(pseudonym);
  });

  for (const { method, path, body, what } of COUNTED) {
    it(`GW-04: records how much ${method} ${path} affected`, async () => {
      const start = log.lines.length;
      const response = await fetch(service.url + path, {
        method,
        headers: {
          authorization: service.authorization,
          ...(body !== undefined && {
            'content-type': typeof body === 'string' ? 'text/plain' : 'application/json',
            'content-disposition': 'attachment; filename="a.txt"',
          }),
        },
        body: typeof body === 'object' ? JSON.stringify(body) : (body ?? null),
      });
      const bytes = (await response.arrayBuffer()).byteLength;
      const [, ended] = entriesSince(start);

      expect(ended?.outcome, JSON.stringify(ended)).to.equal('ok');
      expect(Object.keys(ended?.what ?? {})).to.deep.equal(Object.keys(what));
      for (const [name, least] of Object.entries(what)) {
        if (least === 'all bytes') expect(ended?.what?.[name], name).to.equal(bytes);
        else expect(Number(ended?.what?.[name]), name).to.be.at.least(least);
      }
    });
  }

  it('GW-04: records that a repeated deletion did nothing', async () => {
    const id = 'COHORT-2026-PARTICIPANT-0005';
    const whats = [];
    for (let round = 0; round < 2; round += 1) {
      const start = log.lines.length;
      await send('POST', '/api/v1/records/delete')
        .set('Idempotency-Key', 'deletion')
        .send({ records: [id] });
      whats.push(entriesSince(start)[1]?.what);
    }

    expect(whats).to.deep.equal([{ count: 1 }, { replayed: true, count: 1 }]);
    expect(log.lines.join()).to.not.include(id);
  });

  it('GW-04: records the code of a refusal', async () => {
    const start = log.lines.length;
    await send('GET', '/api/v1/records').query({ fields: 'no_such_field' });
    const [, ended] = entriesSince(start);

    expect(ended).to.include({ outcome: 'refused', status: 400, reason: 'invalid_request' });
  });

  it('LOG-04: records an unknown key', async () => {
    const start = log.lines.length;
    await send('GET', '/api/v1/records').set('Authorization', `Bearer crf_${'x'.repeat(43)}`);
    await audit.settled();

    expect(entriesSince(start)).to.have.length(1);
    const [refused] = entriesSince(start);
    expect(refused).to.deep.include({
      event: 'call.refused',
      outcome: 'refused',
      status: 401,
      reason: 'unauthenticated',
      operation: 'ExportRecords',
      scopes: ['records:read'],
      requestId: 'under-test',
      network: '127.0.0.0/24',
    });
    expect(refused).to.not.have.property('actor');
  });

  it('LOG-04: records an import whose sender left as aborted, which is no fault in the log', async () => {
    const lines: string[] = [];
    const logger = pino({ level: 'error' }, { write: (line) => void lines.push(line) });
    const logged = await startService({ audit, logger });
    const start = log.lines.length;
    const sender = httpRequest(`${logged.url}/api/v1/records`, {
      method: 'POST',
      headers: { authorization: logged.authorization, 'content-type': 'text/csv', 'content-length': 1000 },
    });
    sender.on('error', () => undefined).write('record_id\n');
    while (log.of('call.begun').length === log.of('call.ended').length) await new Promise(setImmediate);
    sender.destroy();
    while (log.of('call.ended').length < log.of('call.begun').length) await new Promise(setImmediate);

    expect(entriesSince(start).at(-1)).to.include({ event: 'call.ended', outcome: 'aborted' });
    expect(lines).to.deep.equal([]);
    await logged.close();
  });

  it('LOG-04: records an export whose reader left as aborted', async () => {
    const start = log.lines.length;
    const response = await new Promise<IncomingMessage>((resolve) => {
      httpGet(
        `${service.url}/api/v1/records?batchSize=1`,
        { headers: { authorization: service.authorization } },
        resolve,
      );
    });
    response.destroy();
    while (log.of('call.ended').length < log.of('call.begun').length) await new Promise(setImmediate);

    expect(entriesSince(start).at(-1)).to.include({ event: 'call.ended', outcome: 'aborted' });
  });

  it('does not record calls that only read the structure of the project', async () => {
    const start = log.lines.length;
    await send('GET', '/api/v1/project/fields');

    expect(entriesSince(start)).to.deep.equal([]);
  });

  describe('when it cannot be written', () => {
    for (const { template, method, bodies } of AUDITED) {
      it(`GW-04: refuses ${method} ${template} with 503, and does nothing`, async () => {
        log.isFull = true;
        const [type] = Object.keys(bodies);

        const sent = send(method, template.replace(/\{\w+\}/g, 'a1'));
        const { status, body, headers } = await (type === undefined
          ? sent
          : sent.set('Content-Type', type).send('{}'));

        expect({ status, code: body.code }).to.deep.equal({ status: 503, code: 'audit_unavailable' });
        expect(headers['retry-after']).to.equal('5');
      });
    }

    it('GW-04: withholds the confirmation if the disk fills up during a call', async () => {
      const id = 'COHORT-2026-PARTICIPANT-9002';
      const answer = send('POST', '/api/v1/records').send({ records: [{ record_id: id }] });
      const begun = log.of('call.begun').length;
      const sent = answer.then((response) => response);
      while (log.of('call.begun').length === begun) await new Promise(setImmediate);
      log.isFull = true;
      const { status, body } = await sent;

      expect({ status, code: body.code }).to.deep.equal({ status: 503, code: 'audit_unavailable' });
    });

    it('answers again once it can be written', async () => {
      const { status } = await send('GET', '/api/v1/records').query({ limit: 1 });

      expect(status).to.equal(200);
      expect(log.entries.some(({ lost = 0 }) => lost > 0)).to.equal(true);
    });
  });
});

describe('The audit log of the sign-in', () => {
  let log: MemoryAudit;
  let audit: AuditTrail;

  beforeEach(async () => {
    ({ log, audit } = await startMemoryAudit());
  });

  const startSignIn = () =>
    startServiceWithAuth(
      { onEvent: ({ type, actor, reason }) => audit.note({ event: type, actor, reason }) },
      { audit, access: { sessionScopes: ['records:read'] } },
    );

  it('holds back the answer of the affected request, and no other', async () => {
    const running = await startSignIn();
    const { status, headers } = await running.browser().send('/login?userId=lovelace&secret=link-1');
    await running.close();

    expect(status).to.equal(302);
    expect(headers.get('location')).to.equal('/dashboard');
  });

  it('LOG-04: uses one pseudonym for a session and its calls, and the request id in every event', async () => {
    const running = await startSignIn();
    const browser = await running.signedIn('lovelace');
    await browser.send('/api/v1/records?limit=1');
    await browser.post('/api/v1/auth/logout');
    await running.close();

    const [session] = log.of('session.created');
    expect(session).to.have.property('requestId').which.is.a('string');
    expect(session).to.include({ network: '127.0.0.0/24' });
    expect(log.of('call.begun')[0]?.actor).to.equal(`session:${session?.actor}`);
    expect(log.of('session.ended')[0]?.actor).to.equal(session?.actor);
    expect(log.lines.join()).to.not.match(/lovelace|example/);
  });

  for (const [name, method, path, headers, reason] of [
    ['lacks a scope', 'GET', '/api/v1/log', {}, 'insufficient_scope'],
    ['lacks a scope on a page', 'POST', '/try-file?store=yes', SAME_ORIGIN, 'insufficient_scope'],
    ['comes from a page of another site', 'POST', '/api/v1/records/delete', {}, 'cross_site_request'],
  ] as const) {
    it(`LOG-04: names the person whose call ${name}`, async () => {
      const running = await startSignIn();
      const browser = await running.signedIn('lovelace');
      const { status } = await browser.send(path, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        body: method === 'POST' ? '{}' : null,
      });
      await running.close();
      await audit.settled();

      expect(status).to.equal(403);
      expect(log.of('call.begun')).to.deep.equal([]);
      expect(log.of('call.refused')).to.have.length(1);
      expect(log.of('call.refused')[0]).to.include({
        actor: `session:${log.of('session.created')[0]?.actor}`,
        reason,
      });
    });
  }

  it('LOG-04: uses one pseudonym for a person from the request for a link to its use', async () => {
    const running = await startSignIn();
    await running.browser().post('/api/v1/auth/signup', { email: 'ada@example.org' });
    await running.signedIn('ada');
    await running.close();

    expect(log.of('link.requested')[0]?.actor)
      .to.be.a('string')
      .and.equal(log.of('session.created')[0]?.actor);
  });

  it('LOG-04: prevents a sign-in that cannot be recorded', async () => {
    const running = await startSignIn();
    log.isFull = true;
    const browser = running.browser();
    const first = await browser.send('/login?userId=lovelace&secret=link-1', {
      headers: { accept: 'application/json' },
    });
    const asked = running.auth.server.requests.length;
    // By now the log is known to be full, so nothing is attempted.
    const second = await browser.send('/login?userId=lovelace&secret=link-2', {
      headers: { accept: 'application/json' },
    });

    expect(first.status).to.equal(503);
    expect(second.status).to.equal(503);
    expect(running.auth.server.requests).to.have.length(asked);
    expect([...browser.cookies.keys()]).to.deep.equal([]);
    await running.close();
  });
});

describe('The audit log and the limits', () => {
  it('LOG-04: records once a minute that a network was refused for a limit', async () => {
    const { log, audit } = await startMemoryAudit();
    const service = await startService({ audit, limits: { failedAuthPerMinute: 2 } });
    for (let call = 0; call < 5; call += 1) await fetch(`${service.url}/api/v1/records`);
    await service.close();
    await audit.settled();

    const hits = log.of('limit.hit');
    expect(hits).to.have.length(1);
    expect(hits[0]).to.include({ status: 429, reason: 'rate_limited', network: '127.0.0.0/24' });
  });
});

describe('A refusal of a known key', () => {
  const { authorization, apiKey } = keyWith('project:read');
  const start = async (options: Partial<CreateAppOptions>) => {
    const { log, audit } = await startMemoryAudit();
    const lines: Record<string, unknown>[] = [];
    const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
    const service = await startService({ audit, logger, access: { apiKeys: [apiKey] }, ...options });
    const send = (path: string) => fetch(service.url + path, { headers: { authorization } });
    const end = async () => {
      await service.close();
      await audit.settled();
    };
    return { log, lines, send, end };
  };

  it('LOG-04: names the key that lacks a scope, in the audit log and in the request log', async () => {
    const { log, lines, send, end } = await start({});
    const { status } = await send('/api/v1/records');
    await end();

    expect(status).to.equal(403);
    expect(log.of('call.refused')[0]).to.include({ actor: 'key:test', reason: 'insufficient_scope' });
    expect(lines.at(-1)).to.include({ msg: 'request', status: 403, caller: 'key:test' });
  });

  it('LOG-04: names the key that has expired, in the audit log and in the request log, and not to its caller', async () => {
    const expired = { ...apiKey, expiresAt: new Date('2026-01-01') };
    const { log, lines, send, end } = await start({ access: { apiKeys: [expired] } });
    const answer = await send('/api/v1/records');
    const text = await answer.text();
    await end();

    expect(answer.status).to.equal(401);
    expect(text).to.not.include('key:test');
    expect(log.of('call.refused')).to.have.length(1);
    expect(log.of('call.refused')[0]).to.include({ actor: 'key:test', reason: 'unauthenticated' });
    expect(lines.at(-1)).to.include({ msg: 'request', status: 401, caller: 'key:test' });
  });

  it('LOG-04: names the key that exceeds a limit, in the audit log and in the request log', async () => {
    const { log, lines, send, end } = await start({ limits: { callsPerMinute: 1 } });
    await send('/api/v1/project/fields');
    const { status } = await send('/api/v1/project/fields');
    await end();

    expect(status).to.equal(429);
    expect(log.of('limit.hit')[0]).to.include({ actor: 'key:test', reason: 'rate_limited' });
    expect(lines.at(-1)).to.include({ msg: 'request', status: 429, caller: 'key:test' });
  });
});

function listed(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function rowsIn(text: string, accept: string): number {
  if (accept === 'application/json') return (JSON.parse(text) as { data: unknown[] }).data.length;
  return text.trimEnd().split('\n').length - 1; // The header or the trailer.
}
