import { expect } from 'chai';
import { CallAudit } from '../../../../src/services/audit/call-audit.js';
import { LimitHits } from '../../../../src/services/audit/limit-hits.js';
import type { AuditTrail } from '../../../../src/services/audit/audit-trail.js';
import { isAudited } from '../../../../src/services/audit/audited-scopes.js';
import { startMemoryAudit, type MemoryAudit } from '../../../support/memory-audit.js';
import { rejection } from '../../../support/rejection.js';

describe('CallAudit', () => {
  let log: MemoryAudit;
  let audit: AuditTrail;
  let begins = 0;
  const call = () =>
    new CallAudit(audit, {
      describe: () => ({
        actor: 'key:portal',
        operation: 'ExportRecords',
        scopes: ['records:read'],
        what: { a: 1 },
      }),
      onBegun: () => (begins += 1),
      recordPseudonymOf: (id) => `<${id}>`,
    });

  beforeEach(async () => {
    ({ log, audit } = await startMemoryAudit());
    begins = 0;
  });

  it('GW-04: enters a call once, however many operations begin it', async () => {
    const audited = call();
    expect(audited.isBegun).to.equal(false);
    await Promise.all([audited.begin(), audited.begin()]);
    await audited.begin();

    expect(audited.isBegun).to.equal(true);
    expect(log.of('call.begun')).to.have.length(1);
    expect(log.of('call.begun')[0]).to.deep.include({
      actor: 'key:portal',
      operation: 'ExportRecords',
      scopes: ['records:read'],
      what: { a: 1 },
    });
    expect(begins).to.equal(1);
  });

  it('GW-04: has not begun if it could not be entered', async () => {
    const audited = call();
    log.isFull = true;

    expect(await rejection(audited.begin())).to.have.property('code', 'audit_unavailable');
    expect(await rejection(audited.begin())).to.have.property('code', 'audit_unavailable');
    expect([audited.isBegun, begins]).to.deep.equal([false, 0]);
  });

  for (const [status, outcome] of [
    [200, 'ok'],
    [399, 'ok'],
    [400, 'refused'],
    [499, 'refused'],
    [500, 'failed'],
  ] as const) {
    it(`LOG-04: calls an answer with ${status} ${outcome}, and one that was interrupted aborted`, async () => {
      const audited = call();
      await audited.begin();
      await audited.end({ status, problem: 'not_found' });
      await audited.end({ status, isAborted: true });

      const [first, second] = log.of('call.ended');
      expect(first).to.include({ outcome, status, reason: 'not_found', operation: 'ExportRecords' });
      expect(first).to.not.have.any.keys('what', 'scopes');
      expect(second).to.include({ outcome: 'aborted', status });
    });
  }

  it('LOG-04: counts what a JSON answer lists or changed, unless a service has counted', async () => {
    const whats = [];
    for (const [body, noted] of [
      [{ data: [1, 2] }, {}],
      [{ data: { count: 3 } }, {}],
      [{ data: { count: 'many' } }, {}],
      [{ data: null }, {}],
      [undefined, {}],
      [{ data: [1] }, { rows: 7 }],
      [{ data: { count: 3 } }, { imported: 2 }],
    ] as const) {
      const audited = call();
      await audited.begin();
      audited.add(noted);
      audited.answered(body);
      await audited.end({ status: 200 });
      whats.push(log.of('call.ended').at(-1)?.what);
    }

    expect(whats).to.deep.equal([
      { rows: 2 },
      { count: 3 },
      undefined,
      undefined,
      undefined,
      { rows: 7 },
      { imported: 2 },
    ]);
  });

  it('LOG-04: names records of a call that has begun, and of no other', async () => {
    const audited = call();
    await audited.records(['too early']);
    await audited.begin();
    await audited.records(['a', 'b']);
    await audited.end({ status: 200 });

    expect(log.of('call.ended')[0]?.what).to.deep.equal({ records: ['<a>', '<b>'] });
  });
});

describe('isAudited', () => {
  it('GW-04: leaves out project:read only', () => {
    expect(isAudited([])).to.equal(false);
    expect(isAudited(['project:read'])).to.equal(false);
    expect(isAudited(['project:read', 'records:read'])).to.equal(true);
    expect(isAudited(['scope:of-tomorrow'])).to.equal(true);
  });
});

describe('LimitHits', () => {
  it('LOG-04: enters each caller of each network once, and those beyond a thousand as one', () => {
    const entries: unknown[] = [];
    const hits = new LimitHits({ note: (entry) => void entries.push(entry) }, () => 60_000);
    for (let round = 0; round < 2; round += 1) {
      hits.hit({ actor: 'key:a', network: 'n1' });
      hits.hit({ actor: 'key:a', network: 'n2' });
      hits.hit({ network: 'n1' });
    }
    expect(entries).to.deep.equal([
      { actor: 'key:a', network: 'n1', event: 'limit.hit', outcome: 'refused' },
      { actor: 'key:a', network: 'n2', event: 'limit.hit', outcome: 'refused' },
      { network: 'n1', event: 'limit.hit', outcome: 'refused' },
    ]);
    for (let at = 0; at < 2000; at += 1) hits.hit({ network: `m${at}` });
    expect(entries).to.have.length(1001);
  });

  it('LOG-04: enters a caller again in the next minute', () => {
    const entries: unknown[] = [];
    let now = 59_999;
    const hits = new LimitHits({ note: (entry) => void entries.push(entry) }, () => now);
    hits.hit({ network: 'n1' });
    now = 60_000;
    hits.hit({ network: 'n1' });
    now = 119_999;
    hits.hit({ network: 'n1' });

    expect(entries).to.have.length(2);
  });
});
