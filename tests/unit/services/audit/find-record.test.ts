import { expect } from 'chai';
import { findRecord, type RecordQuery } from '../../../../src/services/audit/find-record.js';

const X = '00000000000000aa';
const OTHER = '00000000000000bb';

interface Entry {
  readonly event: string;
  readonly at?: string;
  readonly requestId?: string;
  readonly operation?: string;
  readonly scopes?: readonly string[];
  readonly outcome?: string;
  readonly what?: object;
}

const begun = (what: object = {}, more: Partial<Entry> = {}): Entry => ({
  event: 'call.begun',
  at: '2026-11-23T10:00:00.000Z',
  requestId: 'r1',
  operation: 'ExportRecords',
  scopes: ['records:read'],
  what,
  ...more,
});
const records = (names: readonly string[], requestId = 'r1'): Entry => ({
  event: 'call.records',
  at: '2026-11-23T10:00:01.000Z',
  requestId,
  what: { records: names },
});
const ended = (what: object = {}, more: Partial<Entry> = {}): Entry => ({
  event: 'call.ended',
  at: '2026-11-23T10:00:02.000Z',
  requestId: 'r1',
  operation: 'ExportRecords',
  outcome: 'ok',
  what,
  ...more,
});

const search = (lines: readonly (Entry | string)[], query: Partial<RecordQuery> = {}) =>
  findRecord(
    [
      {
        name: 'audit.log',
        lines: (async function* () {
          for (const line of lines) yield typeof line === 'string' ? line : JSON.stringify(line);
        })(),
      },
    ],
    { pseudonyms: new Set([X]), keyMarks: new Set(['own']), ...query },
  );
const concerns = async (...lines: readonly Entry[]) =>
  (await search(lines)).calls.map(({ concern, outcome }) => `${concern} ${outcome}`);

describe('findRecord', () => {
  for (const [name, entries, expected] of [
    ['a list that names it', [begun({ records: [OTHER, X] }), ended({ rows: 2 })], ['named ok']],
    ['a list that names others', [begun({ records: [OTHER] }), ended({ rows: 1 })], []],
    ['the path that names it', [begun({ record: X }), ended()], ['named ok']],
    ['a parameter that names it', [begun({ record: X }), ended()], ['named ok']],
    ['the new name of a record', [begun({ record: OTHER, newRecord: X }), ended()], ['named ok']],
    [
      'a batch that names it',
      [begun(), records([OTHER]), records([X]), ended({ records: [OTHER] })],
      ['named ok'],
    ],
    ['the last entry that names it', [begun(), ended({ records: [X] })], ['named ok']],
    ['batches that name others', [begun(), records([OTHER]), ended({ records: [OTHER] })], []],
    [
      'batches that name others, of a call that never ended',
      [begun(), records([OTHER])],
      ['project undefined'],
    ],
    [
      'a list that is longer than what is named',
      [begun({ records: [OTHER], recordsTotal: 5000 }), ended()],
      ['project ok'],
    ],
    ['an export of the whole project', [begun({ fields: ['age'] }), ended({ rows: 20 })], ['project ok']],
    [
      'an export that the client left',
      [begun(), ended({ rows: 3 }, { outcome: 'aborted' })],
      ['project aborted'],
    ],
    ['an export without rows', [begun(), ended({ rows: 0 })], []],
    ['an export that was refused', [begun(), ended({}, { outcome: 'refused' })], []],
    [
      'a refused call that names it',
      [begun({ record: X }), ended({}, { outcome: 'refused' })],
      ['named refused'],
    ],
    ['a filter', [begun({ filterFields: ['age'] }), ended({ rows: 2 })], ['filter ok']],
    ['events', [begun({ events: ['a_arm_1'] }), ended({ rows: 2 })], ['filter ok']],
    ['a report', [begun({ report: '1' }), ended({ rows: 2 })], ['filter ok']],
    ['the day of a change', [begun({ parameters: ['from'] }), ended({ rows: 2 })], ['filter ok']],
    ['the end of a range', [begun({ parameters: ['until'] }), ended({ rows: 2 })], ['filter ok']],
    ['another parameter', [begun({ parameters: ['batchSize'] }), ended({ rows: 2 })], ['project ok']],
    ['the names of users', [begun({}, { scopes: ['users:read'] }), ended({ rows: 2 })], []],
    ['the numbers of the study', [begun({}, { scopes: ['project:read'] }), ended()], []],
    ['the log of REDCap', [begun({}, { scopes: ['log:read'] }), ended()], ['project ok']],
    ['the participants of a survey', [begun({}, { scopes: ['surveys:read'] }), ended()], ['project ok']],
    [
      'a folder',
      [
        begun({}, { scopes: ['files:read'], operation: 'ListRepositoryFiles' }),
        ended({}, { operation: 'ListRepositoryFiles' }),
      ],
      [],
    ],
    ['an event of the sign-in', [{ event: 'session.created', requestId: 'r1' }], []],
  ] as const) {
    it(`LOG-04: answers ${expected.join() || 'nothing'} for ${name}`, async () => {
      expect(await concerns(...entries)).to.deep.equal(expected);
    });
  }

  it('answers who, when, from where and with which request', async () => {
    const call = { actor: 'key:portal', network: '10.1.2.0/24' };
    const { calls } = await search([{ ...begun({ record: X }), ...call }, ended()]);

    expect(calls).to.deep.equal([
      {
        at: '2026-11-23T10:00:00.000Z',
        operation: 'ExportRecords',
        requestId: 'r1',
        concern: 'named',
        outcome: 'ok',
        policy: undefined,
        what: {},
        records: [X],
        ...call,
      },
    ]);
  });

  it('LOG-04: lists no call under a policy that shows no record, and says of others that it depends on theirs', async () => {
    const concernsUnder = async (reach: 'none' | 'some' | 'all', lines = [begun(), ended({ rows: 3 })]) => {
      const under = lines.map((line) => ({ ...line, policy: 'monitor' }));
      const { calls } = await search(under, { policies: new Map([['monitor', reach]]) });
      return calls.map(({ concern, policy }) => [concern, policy]);
    };

    expect(await concernsUnder('none')).to.deep.equal([]);
    expect(await concernsUnder('some')).to.deep.equal([['policy', 'monitor']]);
    expect(await concernsUnder('all')).to.deep.equal([['project', 'monitor']]);
    expect(await concernsUnder('none', [begun({ record: X }), ended()])).to.deep.equal([
      ['named', 'monitor'],
    ]);
  });

  it('LOG-04: lists what a key read, and which records, whatever record it was', async () => {
    const stats = { actor: 'key:stats' };
    const { calls } = await search(
      [
        { ...begun({ record: X, fields: ['age'] }), ...stats },
        ended({ rows: 2 }),
        { ...begun({ record: X }), actor: 'key:portal' },
        ended(),
      ],
      { pseudonyms: undefined, actors: new Set(['key:stats']) },
    );

    expect(
      calls.map(({ actor, what, records, concern }) => ({ actor, what, records, concern })),
    ).to.deep.equal([
      { actor: 'key:stats', what: { fields: ['age'], rows: 2 }, records: [X], concern: undefined },
    ]);
  });

  it('takes a call of which any part is in the period', async () => {
    const lines = [begun({ record: X }), ended()];
    const at = (time: string) => new Date(`2026-11-23T${time}Z`);
    const count = async (query: Partial<RecordQuery>) => (await search(lines, query)).calls.length;

    expect(await count({ from: at('10:00:02.000'), until: at('11:00:00') })).to.equal(1);
    expect(await count({ from: at('10:00:02.001') })).to.equal(0);
    expect(await count({ until: at('10:00:00.000') })).to.equal(1);
    expect(await count({ until: at('09:59:59.999') })).to.equal(0);
  });

  it('lists calls in the order in which they began, also those that never ended', async () => {
    const { calls } = await search([
      begun({ record: X }, { requestId: 'never' }),
      begun({ record: X }, { requestId: 'late' }),
      begun({ record: X }, { requestId: 'early' }),
      ended({}, { requestId: 'early' }),
      ended({}, { requestId: 'late' }),
    ]);

    expect(calls.map(({ requestId }) => requestId)).to.deep.equal(['never', 'late', 'early']);
  });

  it('excludes no call whose client gave it the request id of another', async () => {
    const hidden = begun({}, { operation: 'ExportRecords' });
    const cover = begun({ record: OTHER }, { operation: 'GetRecord' });

    expect(
      await concerns(hidden, cover, ended({}, { operation: 'GetRecord' }), ended({ rows: 20 })),
    ).to.deep.equal(['project ok', 'project ok']);
  });

  it('counts lines that are no entries', async () => {
    const report = await search(['{"seq":1,"eve', 'null', '[]', '', begun({ record: X }), ended()]);

    expect(report.unreadable).to.equal(3);
    expect(report.calls).to.have.length(1);
  });

  it('LOG-04: counts the calls in the period whose records are named with another key', async () => {
    const started = (pseudonymKey?: string): Entry => ({ event: 'service.started', what: { pseudonymKey } });
    const named = (requestId: string) => [begun({ record: OTHER }, { requestId }), ended({}, { requestId })];
    const lines = [
      ...named('before any start'),
      started('other'),
      ...named('other'),
      ...named('other again'),
      begun({}, { requestId: 'project' }),
      ended({ rows: 1 }, { requestId: 'project' }),
      started('own'),
      ...named('own'),
      started(),
      ...named('unknown'),
    ];

    const { calls, unrecognised } = await search(lines);
    expect(calls.map(({ requestId }) => requestId)).to.deep.equal(['project']);
    expect(unrecognised).to.equal(2);
    expect(await search(lines, { from: new Date('2026-11-24') })).to.have.property('unrecognised', 0);
  });

  it('ignores the end of a call that began in a file that was not given', async () => {
    expect(await concerns(ended({ records: [X] }))).to.deep.equal([]);
  });
});
