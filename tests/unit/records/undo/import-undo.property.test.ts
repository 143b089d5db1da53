import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import fc from 'fast-check';
import { UndoFile, UndoJournal } from '../../../../src/cli/files/undo-file.js';
import type { CrfClient, RecordRow } from '../../../../src/gateways/redcap/crf-client.js';
import { Secret } from '../../../../src/domain/identifiers/secret.js';
import { ImportUndo, type UndoOutcome } from '../../../../src/records/undo/import-undo.js';
import { RecordWriter } from '../../../../src/services/record-writer.js';
import { edited } from '../../../support/edited-rows.js';
import { id } from '../../../support/import-project.js';
import { STUDY } from '../../../support/random-import-study.js';
import { startSandboxClient } from '../../../support/sandbox-client.js';

const SUBJECT = { project: '1', input: 'hash', options: '', from: 0 };
const KEY = new Secret('4826d0e5a1b7c3f94826d0e5a1b7c3f9');
const EDITS = fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat()), { maxLength: 12 });

/** A file to import: edited rows of the project, a new record, a new visit, and a row that comes twice. */
const FILE = fc.record({
  edits: EDITS,
  again: EDITS,
  hasNewRecord: fc.boolean(),
  hasNewVisit: fc.boolean(),
  overwriteBehavior: fc.constantFrom('normal' as const, 'overwrite' as const),
  changes: fc.boolean(),
  batchSize: fc.integer({ min: 1, max: 6 }),
});
type File = typeof FILE extends fc.Arbitrary<infer Value> ? Value : never;

function rowsOf(
  before: readonly RecordRow[],
  { edits, again, hasNewRecord, hasNewVisit }: File,
): RecordRow[] {
  const rows = edited(before, edits);
  const [first = {}] = before;
  const isRepeating = Object.hasOwn(first, 'redcap_repeat_instrument');
  const event = Object.hasOwn(first, 'redcap_event_name')
    ? { redcap_event_name: first['redcap_event_name'] ?? '' }
    : {};
  const visit = {
    ...event,
    redcap_repeat_instrument: 'visit',
    redcap_repeat_instance: 'new',
    remark: 'new one',
  };
  return [
    ...rows,
    ...(hasNewRecord ? [{ record_id: id(500), ...event, age: '33', sites___1: '1' }] : []),
    ...(hasNewVisit && isRepeating ? [{ record_id: first['record_id'] ?? '', ...visit }] : []),
    ...edited(before.slice(0, 1), again),
    ...(hasNewRecord ? [{ record_id: id(500), ...event, age: '34' }] : []),
  ];
}

/** The rows of a project that have values: an event that was saved without any may stay. */
async function valuesOf(client: CrfClient): Promise<RecordRow[]> {
  const rows = await client.exportRecords({ exportBlankForGrayFormStatus: true });
  return rows.filter((row) =>
    Object.entries(row).some(
      ([name, value]) => !/^(record_id|redcap_.*)$/.test(name) && value !== '' && value !== '0',
    ),
  );
}

/** Fails one call: the one with this number, before it is made, or after it with its answer lost. */
function failing(client: CrfClient, at: number, isLost: boolean): CrfClient {
  let calls = 0;
  const fails = (): boolean => calls++ === at;
  const wrap =
    <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      const isFailing = fails();
      if (isFailing && !isLost) throw new Crash();
      const result = await call(...args);
      if (isFailing) throw new Crash();
      return result;
    };
  return Object.assign(Object.create(client) as CrfClient, {
    fields: client.fields,
    project: client.project,
    getVersion: client.getVersion.bind(client),
    events: client.events,
    instruments: client.instruments,
    importData: wrap(client.importData.bind(client)),
    records: { delete: wrap(client.records.delete.bind(client.records)) },
    streamRecords: async function* (options: object) {
      if (fails()) throw new Crash();
      yield* client.streamRecords(options);
    },
  });
}

class Crash extends Error {}

describe('IN-17: An import that is undone', function () {
  this.timeout(300_000);
  let folder: string;
  let files = 0;
  before(() => void (folder = mkdtempSync(join(tmpdir(), 'crf-undo-'))));
  after(() => rmSync(folder, { recursive: true }));

  async function store(
    client: CrfClient,
    rows: readonly RecordRow[],
    file: File,
    undo: UndoFile,
    fromRow = 1,
  ) {
    const body = Readable.from([Buffer.from(JSON.stringify({ records: rows }))], { objectMode: false });
    const writer = new RecordWriter(
      client,
      { batchSize: file.batchSize, recordIdMinLength: 1 },
      undefined,
      client,
    );
    const { overwriteBehavior, changes } = file;
    return writer.write(
      body,
      { format: 'json', overwriteBehavior, changes, fromRow },
      { scope: 'tester' },
      { mayReadRecords: true, journal: undo },
    );
  }

  async function undo(client: CrfClient, path: string, dryRun = false): Promise<UndoOutcome> {
    const journal = await UndoJournal.open(path, KEY);
    const { repeated } = journal;
    try {
      return await new ImportUndo(client, { call: {}, dryRun, repeated }).run(journal.steps());
    } finally {
      await journal.close();
    }
  }

  const create = (): UndoFile =>
    UndoFile.create(join(folder, `${files++}.undo`), SUBJECT, KEY, { isOptional: false });

  it('leaves what there was, and is announced by a dry run', async () => {
    await fc.assert(
      fc.asyncProperty(STUDY, FILE, async (study, file) => {
        const sandbox = await startSandboxClient(study);
        const { client } = sandbox;
        try {
          const before = await valuesOf(client);
          const journal = create();
          await store(client, rowsOf(await client.exportRecords(), file), file, journal);
          await journal.close('complete');
          if (!journal.exists) {
            expect(await valuesOf(client)).to.deep.equal(before);
            return;
          }

          const after = await valuesOf(client);
          const shown = await undo(client, journal.path, true);
          expect(await valuesOf(client)).to.deep.equal(after);
          const { dryRun, ...announced } = shown;
          expect(dryRun).to.equal(true);
          expect(await undo(client, journal.path)).to.deep.equal(announced);
          expect(announced).to.deep.include({ changed: 0, refused: 0 });
          expect(await valuesOf(client)).to.deep.equal(before);
          expect(await undo(client, journal.path)).to.include({ restored: 0, deleted: 0, changed: 0 });
        } finally {
          await sandbox.close();
        }
      }),
      { numRuns: 25 },
    );
  });

  it('can be undone, or continued, wherever it and its undo were cut off', async () => {
    await fc.assert(
      fc.asyncProperty(STUDY, FILE, fc.boolean(), fc.boolean(), async (study, file, isLost, continues) => {
        const sandbox = await startSandboxClient(study);
        const whole = await startSandboxClient(study);
        const { client } = sandbox;
        try {
          const before = await valuesOf(client);
          const rows = rowsOf(await client.exportRecords(), file);
          const complete = create();
          await store(whole.client, rows, file, complete);
          await complete.close('complete');
          const stored = await valuesOf(whole.client);
          for (let at = 0; at < 60; at++) {
            const journal = create();
            const outcome = await store(failing(client, at, isLost), rows, file, journal).catch(
              () => undefined,
            );
            await journal.close(undefined);
            if (outcome !== undefined && !continues) break;
            if (outcome === undefined && continues && journal.exists) {
              const earlier = await UndoJournal.open(journal.path, KEY);
              const { row, doubt } = await earlier.resumePoint();
              const finder = new ImportUndo(client, { call: {}, dryRun: true, repeated: new Set() });
              const hasNew = doubt?.records.some((record) => record.rows.some((each) => each.isNewInstance));
              const isStored = doubt !== undefined && hasNew === true && (await finder.hasStored(doubt));
              const again = await UndoFile.continue(earlier);
              await earlier.close();
              const from = isStored ? doubt.to : row;
              if (from < rows.length) await store(client, rows, file, again, from + 1);
              await again.close('complete');
              expect(await valuesOf(client)).to.deep.equal(stored);
            }
            if (journal.exists) {
              await undo(failing(client, at % 4, isLost), journal.path).catch(() => undefined);
              await undo(client, journal.path);
            }
            expect(await valuesOf(client)).to.deep.equal(before);
            if (outcome !== undefined) break;
          }
        } finally {
          await sandbox.close();
          await whole.close();
        }
      }),
      { numRuns: 6 },
    );
  });
});
