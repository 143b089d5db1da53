import { expect } from 'chai';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openCopy } from '../../src/changes/open-copy.js';
import { describeWith } from '../support/needed-programs.js';
import { PostgresServer } from '../support/postgres-server.js';
import { playHistory } from './history.js';
import { MUTANTS } from './mutants.js';

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
