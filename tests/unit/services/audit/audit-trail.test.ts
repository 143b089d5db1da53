import { expect } from 'chai';
import { AuditTrail } from '../../../../src/services/audit/audit-trail.js';
import { MemoryAudit, startMemoryAudit } from '../../../support/memory-audit.js';
import { rejection } from '../../../support/rejection.js';

describe('AuditTrail', () => {
  it('writes entries that arrive while the disk is busy together, in order', async () => {
    const { log, audit } = await startMemoryAudit();
    const appendsBefore = log.appends;

    await Promise.all(
      ['a', 'b', 'c', 'd'].map((requestId) => audit.record({ event: 'call.begun', requestId })),
    );

    expect(log.appends - appendsBefore).to.equal(2);
    expect(log.of('call.begun').map(({ requestId }) => requestId)).to.deep.equal(['a', 'b', 'c', 'd']);
  });

  it('continues the log of an earlier process', async () => {
    const { log, audit } = await startMemoryAudit();
    await audit.close();

    const next = new AuditTrail(log);
    await next.start('1.2.3', { pseudonymKey: 'a' });

    const [before, after] = log.entries.slice(-2);
    expect(after?.what).to.deep.equal({ pseudonymKey: 'a' });
    expect(after).to.include({ event: 'service.started', version: '1.2.3', prev: before?.hash, seq: 3 });
  });

  it('refuses to continue after a line that it did not write', async () => {
    const log = new MemoryAudit();
    log.lines.push('{"event":"forged"}');

    expect(await rejection(new AuditTrail(log).start())).to.have.property('code', 'audit_unavailable');
  });

  it('records how many entries were lost while the disk was full, without breaking the chain', async () => {
    const { log, audit } = await startMemoryAudit();
    log.isFull = true;
    audit.note({ event: 'link.requested' });
    expect(await rejection(audit.settled())).to.have.property('code', 'audit_unavailable');
    expect(await rejection(audit.checkWritable())).to.have.property('code', 'audit_unavailable');

    log.isFull = false;
    await audit.checkWritable();

    expect(log.entries.at(-1)).to.include({ event: 'audit.resumed', seq: 2, lost: 2 });
  });

  it('reports the entries that it refused because too many were waiting, and confirms none of them', async () => {
    const log = new MemoryAudit();
    const reports: string[] = [];
    const audit = new AuditTrail(log, {
      onFailure: () => reports.push('failed'),
      onResume: () => reports.push('resumed'),
    });
    await audit.start();
    const { lostInAll } = audit;
    const first = audit.record({ event: 'call.begun' });
    // This many entries wait while the first is being written. The last two are refused.
    for (let index = 0; index < 10_002; index += 1) audit.note({ event: 'call.refused' });

    await first;
    expect(reports).to.deep.equal(['failed']);
    expect(await rejection(audit.settled(lostInAll))).to.have.property('code', 'audit_unavailable');
    await audit.record({ event: 'call.begun' });
    await audit.settled();

    expect(reports).to.deep.equal(['failed', 'resumed']);
    expect(log.entries).to.have.length(10_003);
    expect(log.entries.filter(({ lost }) => lost !== undefined).map(({ lost }) => lost)).to.deep.equal([2]);
  });

  it('does not confirm an entry that was lost before the log became writable again', async () => {
    const { log, audit } = await startMemoryAudit();
    const { lostInAll } = audit;
    log.isFull = true;
    await rejection(audit.record({ event: 'session.created' }));
    log.isFull = false;
    await audit.record({ event: 'call.begun' });

    expect(await rejection(audit.settled(lostInAll))).to.have.property('code', 'audit_unavailable');
    await audit.settled();
  });

  it('continues when its listeners fail', async () => {
    const log = new MemoryAudit();
    const fail = (): never => {
      throw new Error('The log is full.');
    };
    const audit = new AuditTrail(log, { onFailure: fail, onResume: fail });
    await audit.start();
    log.isFull = true;
    expect(await rejection(audit.record({ event: 'call.begun' }))).to.have.property(
      'code',
      'audit_unavailable',
    );
    log.isFull = false;

    await audit.record({ event: 'call.ended' });
    await audit.settled();

    expect(log.entries.at(-1)).to.include({ event: 'call.ended', lost: 1 });
  });

  it('reports an outage once', async () => {
    const log = new MemoryAudit();
    const failures: unknown[] = [];
    const audit = new AuditTrail(log, { onFailure: (error) => failures.push(error) });
    await audit.start();
    log.isFull = true;

    await rejection(audit.record({ event: 'call.begun' }));
    await rejection(audit.record({ event: 'call.begun' }));

    expect(failures).to.have.length(1);
  });

  it('adds the request to entries written during it', async () => {
    const { log, audit } = await startMemoryAudit();

    await audit.within({ requestId: 'r1', network: '192.0.2.0/24' }, async () => {
      await new Promise(setImmediate);
      audit.note({ event: 'session.created', actor: 'a1' });
    });
    await audit.settled();

    expect(log.entries.at(-1)).to.include({ requestId: 'r1', network: '192.0.2.0/24', actor: 'a1' });
  });
});
