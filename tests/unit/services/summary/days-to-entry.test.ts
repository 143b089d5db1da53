import { expect } from 'chai';
import { callsOf, composeClient } from '../../../../src/client/compose-client.js';
import { restrict } from '../../../../src/policy/restrict.js';
import type { LogEntry } from '../../../../src/sandbox/redcap/action-log.js';
import { defineInstrument } from '../../../support/define-instrument.js';
import type { Study } from '../../../../src/sandbox/redcap/study.js';
import type { StudyFilter } from '../../../../src/services/summary/chosen-records.js';
import { medianDaysToEntry } from '../../../../src/services/summary/days-to-entry.js';
import type { CrfCalls } from '../../../../src/gateways/redcap/crf-client.js';
import type { StudyOptions } from '../../../../src/services/summary/study-options.js';
import { startSandboxClient } from '../../../support/sandbox-client.js';
import { longitudinalStudy } from '../../../support/studies.js';
import { viewOf } from '../../../support/view-of.js';

const PLAN: StudyOptions = {
  schedule: {
    anchor: 'born',
    visitDate: 'seen_on',
    visits: {
      start_arm_1: { day: 0, before: 0, after: 0 },
      end_arm_1: { day: 28, before: 0, after: 0 },
    },
  },
  today: '2026-06-30',
};
const START = ' (start (Arm 1: Arm 1))';
const END = ' (end (Arm 1: Arm 1))';

/** A row with the day of a visit. */
function row(id: string, seen: string, more: Record<string, string> = {}): Record<string, string> {
  return { id, redcap_event_name: 'start_arm_1', seen_on: seen, redcap_data_access_group: 'north', ...more };
}

/** An entry of the log about a record. */
function entry(
  day: string,
  id: string,
  { action = `Update record ${id}${START}`, details = "seen_on = '2026-01-01'" } = {},
): LogEntry {
  return {
    ...{ at: `${day} 10:00:00`, username: 'ada', kind: 'record_edit', action, details },
    ...{ record: id, group: '' },
  };
}

function study(rows: Study['rows'], log: readonly LogEntry[]): Study {
  const base = longitudinalStudy();
  return {
    ...base,
    fields: [
      ...defineInstrument('base', [
        { name: 'id', type: 'text', label: 'Id' },
        { name: 'born', type: 'text', label: 'Born', validationType: 'date_ymd' },
      ]),
      ...defineInstrument('visit', [
        { name: 'seen_on', type: 'text', label: 'Seen on', validationType: 'datetime_dmy' },
        { name: 'pulse', type: 'text', label: 'Pulse' },
      ]),
      ...base.fields.filter(({ instrument }) => instrument === 'meds'),
    ],
    groups: [
      { id: 1, name: 'North', uniqueName: 'north' },
      { id: 2, name: 'South', uniqueName: 'south' },
    ],
    rows,
    log: log.toSorted((one, other) => one.at.localeCompare(other.at)),
  };
}

async function mediansOf(
  made: Study,
  {
    plan = PLAN,
    filter = {},
    seenBy = (source) => source,
  }: {
    readonly plan?: StudyOptions;
    readonly filter?: StudyFilter;
    readonly seenBy?: (source: Parameters<typeof callsOf>[0]) => CrfCalls;
  } = {},
): Promise<Record<string, number>> {
  const started = await startSandboxClient(made);
  try {
    const clock = () => new Date('2026-06-30T12:00:00Z');
    const { byDag } = await medianDaysToEntry(seenBy(started.client), plan, filter, clock);
    return Object.fromEntries(byDag);
  } finally {
    await started.close();
  }
}

const SEEN = '2026-06-01 09:30';

describe('The days from a visit to its entry', () => {
  const [ofSouth, atEnd] = [{ redcap_data_access_group: 'south' }, { redcap_event_name: 'end_arm_1' }];
  const dags = study(
    [
      ...['A-1', 'A-2', 'A-3'].map((id) => row(id, SEEN, { born: '1990-01-01' })),
      row('B-1', SEEN, { ...ofSouth, born: '1990-02-02' }),
      row('B-1', '2026-06-20 08:00', { ...ofSouth, ...atEnd }),
    ],
    [
      ...[entry('2026-06-01', 'A-1'), entry('2026-06-03', 'A-2'), entry('2026-06-30', 'A-3')],
      ...[entry('2026-06-11', 'B-1'), entry('2026-06-25', 'B-1', { action: `Update record B-1${END}` })],
    ],
  );

  it('are the median of the visits of each data access group', async () => {
    expect(await mediansOf(dags)).to.deep.equal({ north: 2, south: 7.5 });
  });

  for (const [part, filter, expected] of [
    ['a dag', { dag: 'south' }, { south: 7.5 }],
    ['an event', { event: 'end_arm_1' }, { south: 5 }],
    ['an arm', { arm: 1 }, { north: 2, south: 7.5 }],
    ['days of joining', { from: '1990-01-15' }, { south: 7.5 }],
  ] as const)
    it(`are those of ${part}`, async () => {
      expect(await mediansOf(dags, { filter })).to.deep.equal(expected);
    });

  it('are of the events of the schedule, and none without the field', async () => {
    const { start_arm_1: start, ...visits } = PLAN.schedule?.visits ?? {};
    const schedule = { anchor: 'born', visits };

    expect(start).to.not.equal(undefined);
    expect(await mediansOf(dags, { plan: { ...PLAN, schedule } })).to.deep.equal({});
    for (const [visitDate, expected] of [
      ['seen_on', { south: 5 }],
      ['nonesuch', {}],
      ['pulse', {}],
    ] as const)
      expect(
        await mediansOf(dags, { plan: { ...PLAN, schedule: { ...schedule, visitDate } } }),
      ).to.deep.equal(expected);
  });

  it('are the same in a view, whose log has no values, and of its part alone', async () => {
    const read = (...names: string[]) => new Map(names.map((name) => [name, 'read' as const]));
    const view = {
      ...{ log: 'read' as const, forms: read('base', 'visit') },
      fields: read('id', 'born', 'seen_on'),
    };
    const seenIn = (more: Partial<Parameters<typeof viewOf>[0]>) =>
      mediansOf(dags, {
        seenBy: (client) => composeClient(restrict(callsOf(client), viewOf({ ...view, ...more }))),
      });

    expect(await seenIn({})).to.deep.equal({ north: 2, south: 7.5 });
    expect(await seenIn({ events: new Set(['start_arm_1']) })).to.deep.equal({ north: 2, south: 10 });
    expect(await seenIn({ rows: { kind: 'dag', dag: 'north' } })).to.deep.equal({ north: 2 });
    expect(await seenIn({ fields: read('id', 'born', 'pulse') })).to.deep.equal({});
  });

  for (const [rule, log, expected, seen = SEEN] of [
    ['until the first entry, not until a correction', [['2026-06-04'], ['2026-06-20']], 3],
    [
      'not known where only another field was entered',
      [['2026-06-04', { details: "pulse = '7'" }]],
      undefined,
    ],
    ['until an entry 90 days ago', [['2026-04-01'], ['2026-06-10']], 7, '2026-03-25 09:00'],
    [
      'until a correction, if the first entry is longer ago',
      [['2026-03-31'], ['2026-06-10']],
      77,
      '2026-03-25 09:00',
    ],
    [
      'since the record was deleted and created again',
      [
        ['2026-06-02'],
        ['2026-06-03', { action: 'Delete record A-1', details: "id = '1'" }],
        ['2026-06-08', { action: `Create record A-1${START}` }],
      ],
      7,
    ],
    ['not known where the log names no event', [['2026-06-04', { action: 'Update record A-1' }]], undefined],
    ['not known where the visit is later than its entry', [['2026-05-31']], undefined],
  ] as const)
    it(`are ${rule}`, async () => {
      const entries = log.map(([day, parts]) => entry(day, 'A-1', parts));

      expect((await mediansOf(study([row('A-1', seen)], entries)))['north']).to.equal(expected);
    });

  it('are taken for a mistyped year if they are more than 365', async () => {
    const visits = ['2025-06-29', '2025-06-30'].map((day, at) => row(`A-${at}`, `${day} 00:00`));
    const log = visits.map(({ id = '' }) => entry('2026-06-30', id));

    expect(await mediansOf(study(visits, log))).to.deep.equal({ north: 365 });
  });

  it('are of each instance of a repeating event, the first where the log names none', async () => {
    const repeated = (instance: string, day: string) =>
      row('A-1', `2026-06-${day} 09:00`, { ...atEnd, redcap_repeat_instance: instance });
    const of = (details: string) => ({ action: `Update record A-1${END}`, details });
    const made = study(
      [repeated('1', '01'), repeated('2', '02'), repeated('3', '03')],
      [
        entry('2026-06-02', 'A-1', of("seen_on = 'x'")),
        entry('2026-06-06', 'A-1', of("[instance = 2], seen_on = 'x'")),
        entry('2026-06-12', 'A-1', of("[instance = 3], seen_on = 'x'")),
      ],
    );
    const repeating = [{ event: 'end_arm_1', instrument: '', customLabel: '' }];

    expect(await mediansOf({ ...made, repeating })).to.deep.equal({ north: 4 });
  });
});
