import { expect } from 'chai';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChangeEngine } from '../../src/sync/change-engine.js';
import type { ChangeStore } from '../../src/sync/change-store.js';
import { openCopy } from '../../src/sync/open-copy.js';
import { describeWith } from '../support/needed-programs.js';
import { PostgresServer } from '../support/postgres-server.js';
import { rejection } from '../support/rejection.js';
import { playHistory } from './history.js';
import { ModelRedcap } from './model.js';
import { MUTANTS } from './mutants.js';

/** A store that crashes when it has stored records. */
function crashingAfterRecords(store: ChangeStore): ChangeStore {
  return {
    state: () => store.state(),
    known: (records) => store.known(records),
    all: () => store.all(),
    commit: async (step) => {
      await store.commit(step);
      if (step.records !== undefined) throw new Error('crash');
    },
  };
}

describe('Histories of a project', function () {
  this.timeout(120_000);

  it('SYNC-01: leave a copy and a reader of the changes that hold what an export has', async () => {
    for (let seed = 1; seed <= 150; seed++)
      expect((await playHistory(seed)).complaint, `seed ${seed}`).to.equal(undefined);
  });

  it('do so after a crash at any call and any commit', async () => {
    for (let seed = 1000; seed < 1004; seed++) {
      const { points } = await playHistory(seed, { steps: 8 });
      expect(points).to.be.above(10);
      for (let crashAt = 1; crashAt <= points; crashAt++) {
        const { complaint } = await playHistory(seed, { crashAt, steps: 8 });
        expect(complaint, `seed ${seed}, crash at ${crashAt}`).to.equal(undefined);
      }
    }
  });

  it('leave tables with equal cells, whatever happens to the design', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'crf-histories-'));
    try {
      for (let seed = 1; seed <= 15; seed++) {
        const copy = await openCopy({ kind: 'sqlite', place: join(folder, `${seed}.db`) });
        const { complaint } = await playHistory(seed, { copy, steps: 12 }).finally(() =>
          copy.database.close(),
        );
        expect(complaint, `seed ${seed}`).to.equal(undefined);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('leave a list that is compared again after a crash that followed a change of it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'crf-histories-'));
    const copy = await openCopy({ kind: 'sqlite', place: join(folder, 'copy.db') });
    try {
      const redcap = new ModelRedcap(() => 0);
      const record = { group: '', rows: new Map([['start_arm_1||', new Map([['x', '1']])]]) };
      redcap.records.set('1', record);
      const look = async (store: ChangeStore = copy): Promise<unknown> => {
        redcap.changed();
        redcap.now += 11 * 60_000;
        return new ChangeEngine(redcap.source(), store, { now: () => redcap.now }).look();
      };
      const groups = async (): Promise<unknown> => (await copy.known(['1'])).get('1')?.group;
      for (let at = 0; at < 3; at++) await look();
      expect((await copy.state())?.listed).not.to.equal('');
      // Nobody logs it, and the look that finds it crashes as soon as the record is stored.
      record.group = 'north';
      const crash = await rejection(look(crashingAfterRecords(copy)));
      expect(crash).to.have.property('message', 'crash');
      expect(await groups()).to.equal('north');
      record.group = '';
      await look();
      expect(await groups()).to.equal('');
    } finally {
      await copy.database.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('deliver renames as renames', async () => {
    let renamed = 0;
    for (let seed = 2; seed <= 60; seed += 2) renamed += (await playHistory(seed)).renamed;
    expect(renamed).to.be.above(3);
  });

  it('have mutants whose text is still in the engine', () => {
    for (const { name, file, from } of MUTANTS) expect(readFileSync(file, 'utf8'), name).to.include(from);
  });
});

describeWith(['postgres'], 'Histories of a project in PostgreSQL', function () {
  this.timeout(120_000);

  it('leave tables with equal cells', async () => {
    const server = await PostgresServer.start();
    try {
      for (let seed = 1; seed <= 10; seed++) {
        const copy = await openCopy({ kind: 'postgres', place: server.url(`study_${seed}`) });
        const { complaint } = await playHistory(seed, { copy, steps: 12 }).finally(() =>
          copy.database.close(),
        );
        expect(complaint, `seed ${seed}`).to.equal(undefined);
      }
    } finally {
      await server.dispose();
    }
  });
});
