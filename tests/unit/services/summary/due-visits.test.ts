import { expect } from 'chai';
import fc from 'fast-check';
import { calendarOf } from '../../../../src/services/summary/visit-calendar.js';
import type { DueVisit } from '../../../../src/services/summary/due-visits.js';
import type { ListPageRequest } from '../../../../src/services/summary/list-page.js';
import { StudyLists } from '../../../../src/services/summary/study-lists.js';
import type { StudyOptions } from '../../../../src/services/summary/study-options.js';
import { defineInstrument } from '../../../support/define-instrument.js';
import type { Study } from '../../../../src/sandbox/redcap/study.js';
import { startSandboxClient } from '../../../support/sandbox-client.js';
import { longitudinalStudy } from '../../../support/studies.js';

const SCHEDULE: StudyOptions['schedule'] = {
  anchor: 'joined',
  end: 'left',
  visits: { end_arm_1: { day: 10, before: 2, after: 3 } },
};

/** A study of two events in which some records have joined, and some have left. */
function study(records: Readonly<Record<string, Record<string, string>>>): Study {
  const base = longitudinalStudy();
  return {
    ...base,
    fields: [
      ...defineInstrument('base', [
        { name: 'id', type: 'text', label: 'Id' },
        { name: 'joined', type: 'text', label: 'Joined', validationType: 'date_ymd' },
        { name: 'left', type: 'text', label: 'Left', validationType: 'datetime_ymd' },
      ]),
      ...base.fields.filter(({ instrument }) => instrument !== 'base'),
    ],
    rows: Object.entries(records).flatMap(([id, { visited, ...values }]) => [
      { id, redcap_event_name: 'start_arm_1', base_complete: '2', visit_complete: '2', ...values },
      ...(visited === undefined ? [] : [{ id, redcap_event_name: 'end_arm_1', visit_complete: visited }]),
    ]),
  };
}

async function dueIn(
  made: Study,
  plan: StudyOptions,
  request: ListPageRequest = {},
): Promise<Record<string, string>> {
  const started = await startSandboxClient(made);
  try {
    const { rows } = await new StudyLists(started.client, { today: '2026-03-10', ...plan }).page(
      'due',
      request,
    );
    return Object.fromEntries(
      rows.map(({ record, state, opens, closes, instruments }) => [
        record,
        [state, opens, closes, ...(instruments ?? [])].join(' '),
      ]),
    );
  } finally {
    await started.close();
  }
}

describe('GW-07: the visits that are due', () => {
  it('are overdue after the last day of their window, and coming if it opens in more than six days', async () => {
    const made = study({
      over: { joined: '2026-02-24' }, // from 4 to 9 March
      last: { joined: '2026-02-25' },
      soon: { joined: '2026-03-08' }, // from 16 March
      later: { joined: '2026-03-09' },
    });

    expect(await dueIn(made, { schedule: SCHEDULE })).to.deep.equal({
      over: 'overdue 2026-03-04 2026-03-09 visit',
      last: 'thisWeek 2026-03-05 2026-03-10 visit',
      soon: 'thisWeek 2026-03-16 2026-03-21 visit',
      later: 'coming 2026-03-17 2026-03-22 visit',
    });
  });

  it('are none of a record that has not joined, has left before, or whose form was begun', async () => {
    const made = study({
      unknown: {},
      left: { joined: '2026-02-01', left: '2026-02-10 08:00' },
      lastDay: { joined: '2026-02-01', left: '2026-02-11 08:00' },
      begun: { joined: '2026-02-01', visited: '0' },
    });

    expect(Object.keys(await dueIn(made, { schedule: SCHEDULE }))).to.deep.equal(['lastDay']);
  });

  it('have days of four-digit years, also around dates that stand for one nobody knows', async () => {
    const made = study({ never: { joined: '9999-12-31' }, always: { joined: '0000-01-02' } });

    expect(await dueIn(made, { schedule: SCHEDULE })).to.deep.equal({
      never: 'coming 9999-12-29 9999-12-31 visit',
      always: 'overdue 0000-01-10 0000-01-15 visit',
    });
  });

  it('are not asked for by what is optional, or by a plan that names nothing of the project', async () => {
    const made = study({ over: { joined: '2026-02-01' } });

    for (const plan of [
      { schedule: SCHEDULE, optional: { forms: ['visit'], events: [] } },
      { schedule: SCHEDULE, optional: { forms: [], events: ['end_arm_1'] } },
      { schedule: { anchor: 'nonesuch', visits: SCHEDULE?.visits ?? {} } },
      { schedule: { anchor: 'joined', visits: { nonesuch_arm_1: { day: 1, before: 0, after: 0 } } } },
      {},
    ])
      expect(await dueIn(made, plan)).to.deep.equal({});
  });

  it('can be selected by form, event, state and record', async () => {
    const made = study({ over: { joined: '2026-02-01' }, later: { joined: '2026-03-09' } });
    const plan = { schedule: SCHEDULE };

    for (const [request, records] of [
      [{ instrument: 'visit', event: 'end_arm_1' }, ['over', 'later']],
      [{ instrument: 'base' }, []],
      [{ event: 'start_arm_1' }, []],
      [{ state: 'coming' }, ['later']],
      [{ record: 'OV' }, ['over']],
      [{ until: '2026-02-28' }, ['over']],
      [{ from: '9d', until: '24h' }, ['later']],
    ] as const)
      expect(Object.keys(await dueIn(made, plan, request)), JSON.stringify(request)).to.have.members([
        ...records,
      ]);
  });
});

describe('The calendar of the visits', () => {
  const NAMES = { events: new Map(), forms: new Map(), dags: new Map() };

  async function written(visits: readonly DueVisit[]): Promise<string> {
    const chunks: Buffer[] = [];
    const source = (async function* () {
      await Promise.resolve();
      yield* visits;
    })();
    const sentence = (day: string, forms: readonly string[]): string => `${day}: ${forms.join(', ')}`;
    const calendar = calendarOf(source, NAMES, sentence, new Date('2026-03-10T12:00:00Z'));
    for await (const chunk of calendar) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  }
  const visit = (parts: Partial<DueVisit>): DueVisit => ({
    record: 'A-1',
    dag: '',
    joined: '',
    event: 'end_arm_1',
    state: 'overdue',
    day: '2026-03-06',
    opens: '2026-03-04',
    closes: '2026-03-31',
    instruments: ['visit'],
    ...parts,
  });

  it('has an entry for each over its whole window', async () => {
    expect((await written([visit({})])).split('\r\n')).to.include.members([
      'BEGIN:VCALENDAR',
      'DTSTART;VALUE=DATE:20260304',
      'DTEND;VALUE=DATE:20260401', // the end is the day after
      'DTSTAMP:20260310T120000Z',
      'SUMMARY:end_arm_1: A-1',
      'DESCRIPTION:2026-03-06: visit',
      'END:VCALENDAR',
    ]);
    const last = visit({ opens: '9999-12-29', closes: '9999-12-31' });
    expect(await written([last])).to.include('\r\nDTEND;VALUE=DATE:99991231\r\n');
    expect(await written([])).to.match(/^BEGIN:VCALENDAR\r\n[^]*END:VCALENDAR\r\n$/);
  });

  it('has lines of at most 75 bytes, which unfolded say the same again, whatever the names', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }), async (dag) => {
        const text = await written([visit({ dag })]);

        for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).to.be.at.most(75);
        const [, summary = ''] = /^SUMMARY:([^\r]*)/m.exec(text.replaceAll('\r\n ', '')) ?? [];
        const said = summary.replace(/\\(.)/g, (_, letter: string) => (letter === 'n' ? '\n' : letter));
        expect(said).to.equal(`end_arm_1: A-1 (${dag.replace(/\r\n?/g, '\n')})`);
      }),
    );
  });
});
