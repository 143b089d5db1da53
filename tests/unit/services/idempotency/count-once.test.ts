import { createHash } from 'node:crypto';
import { expect } from 'chai';
import type { AuditDetails } from '../../../../src/records/audit-notes.js';
import { countOnce } from '../../../../src/services/idempotency/count-once.js';
import type { IdempotentResult } from '../../../../src/services/idempotency/idempotency-store.js';
import { MemoryIdempotencyStore } from '../../../../src/services/idempotency/memory-idempotency-store.js';
import { rejection } from '../../../support/rejection.js';

const KEY = { idempotencyKey: 'key', scope: 'key:portal' };
const DELETE_A = ['delete', ['A']];

/** A store that exposes what it is asked to keep. */
class WatchedStore extends MemoryIdempotencyStore {
  readonly kept: [key: string, result: IdempotentResult][] = [];

  override complete(key: string, result: IdempotentResult): Promise<void> {
    this.kept.push([key, result]);
    return super.complete(key, result);
  }
}

describe('countOnce', () => {
  let store: WatchedStore;
  let runs: number;
  const work = (): Promise<number> => Promise.resolve((runs += 1) + 6);

  beforeEach(() => {
    store = new WatchedStore();
    runs = 0;
  });

  it('UP-07: runs the same request once, and repeats its answer', async () => {
    const notes: AuditDetails[] = [];
    const audit = {
      add: (details: AuditDetails) => notes.push(details),
      records: () => Promise.resolve(),
    };

    expect(await countOnce(store, KEY, DELETE_A, work, audit)).to.equal(7);
    expect(notes).to.deep.equal([]);
    expect(await countOnce(store, KEY, DELETE_A, work, audit)).to.equal(7);
    expect(notes).to.deep.equal([{ replayed: true }]);
    expect(await countOnce(store, KEY, DELETE_A, work)).to.equal(7);
    expect(runs).to.equal(1);
  });

  it('runs the work each time without a key', async () => {
    await countOnce(store, { scope: 'key:portal' }, DELETE_A, work);
    await countOnce(store, { scope: 'key:portal' }, DELETE_A, work);

    expect(runs).to.equal(2);
    expect(store.size).to.equal(0);
  });

  it('UP-07: refuses the key for another request with 422', async () => {
    await countOnce(store, KEY, DELETE_A, work);

    expect(await rejection(countOnce(store, KEY, ['delete', ['B']], work))).to.include({
      code: 'idempotency_key_reused',
    });
    expect(runs).to.equal(1);
  });

  it('UP-07: refuses the key of an import that stored only a part', async () => {
    await countOnce(store, KEY, DELETE_A, work);
    const [[key, { sha256 }] = ['', { sha256: '' }]] = store.kept;
    const outcome = { kind: 'interrupted', stored: 1, resumeFrom: 1, doubtful: [], storedLater: [] } as const;
    await store.complete(key, { sha256, bodyBytes: 0, isWholeBody: true, outcome });

    expect(await rejection(countOnce(store, KEY, DELETE_A, work))).to.include({
      code: 'idempotency_key_reused',
    });
  });

  it('UP-07: refuses the key of an import whose process has ended', async () => {
    store.reserve = () => Promise.resolve({ state: 'lost' });

    expect(await rejection(countOnce(store, KEY, DELETE_A, work))).to.include({
      code: 'idempotency_key_reused',
    });
    expect(runs).to.equal(0);
  });

  it('UP-07: refuses the key with 409 while the same request runs', async () => {
    let finish = (_count: number): void => undefined;
    const first = countOnce(store, KEY, DELETE_A, () => new Promise((resolve) => (finish = resolve)));

    expect(await rejection(countOnce(store, KEY, DELETE_A, work))).to.include({
      code: 'idempotency_key_in_use',
    });
    finish(3);
    expect(await first).to.equal(3);
    expect(runs).to.equal(0);
  });

  it('UP-07: keeps the keys of each caller separate', async () => {
    await countOnce(store, KEY, DELETE_A, work);
    await countOnce(store, { ...KEY, scope: 'key:registry' }, DELETE_A, work);
    await countOnce(store, { ...KEY, idempotencyKey: 'other' }, DELETE_A, work);

    expect(runs).to.equal(3);
  });

  it('UP-07: releases the key if the work failed', async () => {
    const refused = new Error('refused');

    expect(await rejection(countOnce(store, KEY, DELETE_A, () => Promise.reject(refused)))).to.equal(refused);
    expect(await countOnce(store, KEY, DELETE_A, work)).to.equal(7);
  });

  it('UP-07: stores only a SHA-256 digest and a count of the request', async () => {
    await countOnce(store, KEY, DELETE_A, work);

    const sha256 = createHash('sha256').update(JSON.stringify(DELETE_A)).digest('hex');
    const outcome = { kind: 'stored', count: 7, batches: 1 };
    expect(store.kept.map(([, result]) => result)).to.deep.equal([
      { sha256, bodyBytes: 0, isWholeBody: true, outcome },
    ]);
  });
});
