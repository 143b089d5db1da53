import { Writable } from 'node:stream';
import { expect } from 'chai';
import fc from 'fast-check';
import { RecordExporter, type ExportRequest } from '../../../../src/records/export/record-exporter.js';
import { RecordPager, type PageRequest } from '../../../../src/records/export/record-pager.js';
import { rejection } from '../../../support/rejection.js';
import { FakeProject } from '../../../support/fake-project.js';

interface Row {
  readonly [column: string]: string;
  readonly record_id: string;
}

const KEY = Buffer.alloc(32, 7);

describe('RecordPager', () => {
  const named = (numbers: readonly number[]): Row[] =>
    numbers.map((number) => ({ record_id: String(number).padStart(4, '0'), age: '42' }));
  const hundred = named(Array.from({ length: 100 }, (_, index) => index * 10));

  function pagerOf(rows: readonly Row[]): RecordPager {
    const project = new FakeProject(rows);
    return new RecordPager(project, new RecordExporter(project), KEY);
  }

  async function pageOf(rows: readonly Row[], request: Partial<PageRequest>) {
    const page = await pagerOf(rows).open({ format: 'json', pageSize: 30, ...request });
    const chunks: Buffer[] = [];
    await page.pipeTo(
      new Writable({
        write: (chunk: Buffer, _encoding, done) => {
          chunks.push(Buffer.from(chunk));
          done();
        },
      }),
    );
    const { data } = JSON.parse(Buffer.concat(chunks).toString()) as { data: Row[] };
    return { ids: data.map(({ record_id }) => record_id), ...page };
  }

  /** Reads all pages; between two pages `change` replaces the rows. */
  async function readAll(rows: Row[], pageSize: number, change: (rows: Row[], page: number) => Row[]) {
    const ids: string[] = [];
    let isChanged = false;
    let cursor: string | undefined;
    for (let page = 0; ; page += 1) {
      const answer = await pageOf(rows, { pageSize, cursor });
      ids.push(...answer.ids);
      isChanged ||= answer.isChanged ?? false;
      cursor = answer.nextCursor;
      if (cursor === undefined) return { ids, isChanged };
      rows = change(rows, page);
    }
  }

  it('STR-06: returns every record once, in order, in pages of at most the page size', async () => {
    const { ids, isChanged } = await readAll(hundred, 30, (rows) => rows);

    expect(ids).to.deep.equal(hundred.map(({ record_id }) => record_id));
    expect(isChanged).to.equal(false);
  });

  it('STR-06: neither loses nor repeats a remaining record when others are inserted or deleted between pages', () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 10, max: 40 }),
        fc.array(
          fc.record({
            insert: fc.array(fc.integer({ min: 0, max: 9999 }), { maxLength: 5 }),
            // Seven of the eight records that a cursor knows may be deleted.
            remove: fc.array(fc.nat(99), { maxLength: 7 }),
          }),
          { minLength: 1, maxLength: 12 },
        ),
        async (pageSize, changes) => {
          const staying = new Set(hundred.map(({ record_id }) => record_id));
          const { ids } = await readAll(hundred, pageSize, (rows, page) => {
            const { insert, remove } = changes[page] ?? { insert: [], remove: [] };
            const gone = new Set(named(remove.map((index) => index * 10)).map(({ record_id }) => record_id));
            for (const id of gone) staying.delete(id);
            const added = named(insert).filter(
              ({ record_id }) => !rows.some((row) => row.record_id === record_id),
            );
            const distinct = [...new Map(added.map((row) => [row.record_id, row])).values()];
            return [...rows.filter(({ record_id }) => !gone.has(record_id)), ...distinct].sort((a, b) =>
              a.record_id < b.record_id ? -1 : 1,
            );
          });

          expect(new Set(ids).size, 'repeated').to.equal(ids.length);
          expect(
            [...staying].filter((id) => !ids.includes(id)),
            'lost',
          ).to.deep.equal([]);
        },
      ),
      { numRuns: 60 },
    ));

  for (const [change, rows] of [
    ['inserted', named([5, ...hundred.map(({ record_id }) => Number(record_id))])],
    ['deleted', hundred.slice(1)],
  ] as const) {
    it(`STR-06: reports that a record before the cursor was ${change}`, async () => {
      const { nextCursor: cursor } = await pageOf(hundred, {});

      expect((await pageOf(rows, { cursor })).isChanged).to.equal(true);
    });
  }

  it('STR-06: refuses a cursor whose records are all gone', async () => {
    const { nextCursor: cursor } = await pageOf(hundred, {});
    const error = await rejection(pagerOf(hundred.slice(40)).open({ format: 'json', cursor }));

    expect(error).to.have.nested.property('errors[0].field', 'cursor');
  });

  it('STR-06: hides record ids in the cursor', async () => {
    const { nextCursor = '' } = await pageOf(hundred, {});

    expect(nextCursor).to.match(/^[A-Za-z0-9_-]+$/);
    expect(Buffer.from(nextCursor, 'base64url').toString('latin1')).to.not.include('0290');
  });

  const first = { format: 'json', pageSize: 30 } as const;
  for (const [what, request, field] of [
    ['a cursor of another selection', { ...first, filterLogic: '[age] > 1' }, 'cursor'],
    ['a limit with a cursor', { ...first, limit: 5 }, 'limit'],
    ['a batch size with a cursor', { ...first, batchSize: 5 }, 'batchSize'],
    ['pages that are too large', { ...first, pageSize: 1001 }, 'pageSize'],
  ] as const satisfies readonly (readonly [string, ExportRequest & { pageSize: number }, string])[]) {
    it(`STR-06: refuses ${what}`, async () => {
      const { nextCursor: cursor } = await pageOf(hundred, {});
      const error = await rejection(pagerOf(hundred).open({ ...request, cursor }));

      expect(error).to.have.nested.property('errors[0].field', field);
    });
  }

  it('checks a filter once for all calls of a page, and passes on its text and its notes', async () => {
    const checked: unknown[] = [];
    const notes = [{ at: 1, message: 'could not be checked' }];
    const project = Object.assign(new FakeProject(hundred), {
      checkFilterLogic: async (filterLogic: unknown) => (checked.push(filterLogic), notes),
    });

    const page = await new RecordPager(project, new RecordExporter(project), KEY).open({
      ...first,
      filterLogic: '[age] > 1',
    });
    page.cancel();

    expect(checked).to.deep.equal(['[age] > 1']);
    expect(page.filterNotes).to.equal(notes);
    expect(project.calls.map(({ filterLogic }) => String(filterLogic))).to.deep.equal([
      '[age] > 1',
      '[age] > 1',
    ]);
  });

  it('STR-06: refuses an invalid cursor', async () => {
    const error = await rejection(pagerOf(hundred).open({ ...first, cursor: 'abcd' }));

    expect(error).to.have.nested.property('errors[0].field', 'cursor');
  });
});
