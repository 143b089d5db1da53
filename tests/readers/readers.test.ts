import { expect } from 'chai';
import fc from 'fast-check';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withoutTags } from '../../src/domain/dictionary/without-tags.js';
import type { Study } from '../../src/sandbox/redcap/study.js';
import { describeWith } from '../support/needed-programs.js';
import { STUDY } from '../support/random-import-study.js';
import { PostgresServer } from '../support/postgres-server.js';
import { armsStudy } from '../support/studies.js';
import { awkwardStudy, LABEL } from './awkward-study.js';
import { differencesOf, expectedTables } from './cells.js';
import { makeCopies, type Copies } from './make-copies.js';
import { isNotInstalled, labelsIn, psql, READERS, type Reader } from './readers.js';

/** The short form of `npm run readers`. */
describeWith(
  ['R', 'pspp', 'python', 'postgres'],
  'SYNC-05: programs read the same cells from each form of a copy',
  function () {
    this.timeout(120_000);
    let folder: string;
    let server: PostgresServer;
    const made: Copies[] = [];

    before(async () => {
      server = await PostgresServer.start();
      folder = mkdtempSync(join(tmpdir(), 'crf-readers-'));
      const studies: Study[] = [awkwardStudy(), armsStudy(), ...fc.sample(STUDY, 4)];
      for (const [at, study] of studies.entries()) {
        const { copies, differences } = await makeCopies(
          study,
          join(folder, `${at}`),
          server.url(`study_${at}`),
        );
        expect(differences).to.equal(0);
        made.push(copies);
      }
    });

    after(async () => {
      await server.dispose();
      rmSync(folder, { recursive: true, force: true });
    });

    function check({ target, losses, read }: Reader): void {
      const found = read(made.map((copies) => copies[target]));
      for (const copies of made) {
        const tables = found.get(copies[target]) ?? new Map<string, never>();
        expect(differencesOf(expectedTables(copies.sqlite), tables, losses)).to.deep.equal([]);
      }
    }

    for (const reader of READERS)
      it(reader.name, function () {
        try {
          reader.read([]);
        } catch (error) {
          if (isNotInstalled(error)) this.skip();
          throw error;
        }
        check(reader);
      });

    it('SYNC-05: has labels that mean something in each of the languages', function () {
      const [awkward] = made;
      const read = READERS.find(({ name }) => name.startsWith('PSPP'))?.read;
      if (awkward === undefined || read === undefined) throw new Error('There is no such reader.');
      try {
        read([awkward.csv]);
      } catch (error) {
        if (isNotInstalled(error)) this.skip();
        throw error;
      }
      const label = withoutTags(LABEL);
      expect(labelsIn(awkward.csv, 'values', 'whole_codes', '1')).to.deep.equal([
        'Codes',
        label,
        'Codes',
        label,
      ]);
    });

    it('psql', () => check(psql(server)));
  },
);
