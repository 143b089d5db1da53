import { expect } from 'chai';
import { text } from 'node:stream/consumers';
import { BLANK_FIELD, type Field } from '../../../src/dictionary/field.js';
import type { CrfCalls, OpenRecordsOptions } from '../../../src/gateways/redcap/crf-client.js';
import { compilePolicy, viewWith } from '../../../src/policy/compile-view.js';
import { RecordKeys } from '../../../src/policy/deidentify/record-keys.js';
import { readPolicyFile } from '../../../src/policy/policy-file.js';
import { acceptAll } from '../../../src/policy/policy-lock.js';
import { restrict } from '../../../src/policy/restrict.js';
import { loadProjectStructure } from '../../../src/records/load-project-structure.js';
import type { Study } from '../../../src/sandbox/redcap/study.js';
import { rejection } from '../../support/rejection.js';
import { sandboxCalls } from '../../support/sandbox-client.js';
import { longitudinalStudy } from '../../support/studies.js';
import { deidentifiedBy, viewOf } from '../../support/view-of.js';

const KEYS = new RecordKeys(Buffer.alloc(32, 3), 'test');
const DAY_MS = 86_400_000;

const field = (name: string, more: Partial<Field> = {}): Field => ({
  ...BLANK_FIELD,
  name,
  label: `The ${name}`,
  instrument: 'base',
  ...more,
});
const date = (name: string, validationType: string): Field => field(name, { validationType });

const BASE: readonly Field[] = [
  field('id'),
  field('age', { validationType: 'integer', validationMin: '18', validationMax: '120' }),
  field('sites', { type: 'checkbox', choicesOrCalculations: '1, North | 2, South' }),
  field('full_name', { isIdentifier: true }),
  field('story', { type: 'notes' }),
  field('reach', { validationType: 'email' }),
  field('home', { validationType: 'zipcode' }),
  { ...date('met', 'date_dmy'), validationMin: '2020-01-01', branchingLogic: "[home] <> ''" },
  field('days', { type: 'calc', choicesOrCalculations: 'datediff([met], [seen], "d")' }),
  { ...date('seen', 'datetime_mdy'), instrument: 'visit' },
  field('pulse', { instrument: 'visit', validationType: 'number', branchingLogic: '[age] > 10' }),
  { ...date('taken', 'datetime_seconds_ymd'), instrument: 'meds' },
];

/** The rows of A-1 are at two events and repeat; those of B-2 have values that are no dates, ages or ZIP codes. */
function wholeStudy(): Study {
  const study = longitudinalStudy();
  return {
    ...study,
    project: { ...study.project, missingDataCodes: '-99, Not known' },
    fields: BASE,
    rows: [
      {
        id: 'A-1',
        redcap_event_name: 'start_arm_1',
        age: '94',
        sites___1: '1',
        full_name: 'Ada L',
        story: 'x',
      },
      { id: 'A-1', redcap_event_name: 'end_arm_1', seen: '2026-03-01 10:30', pulse: '61.5' },
      ...[1, 2].map((instance) => ({
        ...{ id: 'A-1', redcap_event_name: 'start_arm_1', redcap_repeat_instrument: 'meds' },
        ...{ redcap_repeat_instance: `${instance}`, taken: `2026-02-0${instance} 08:00:59` },
      })),
      {
        ...{ id: 'B-2', redcap_event_name: 'start_arm_1', age: '-99', home: '03601', met: '2026-02-28' },
        ...{ reach: 'b@example.org', base_complete: '2' },
      },
      { id: 'C 3', redcap_event_name: 'start_arm_1', age: '41', home: '02139-1000', met: '-99' },
    ],
  };
}

/** What a person would do by hand: shifts the dates of a row, and puts other values in the place of its own. */
function byHand(row: Study['rows'][number]): Study['rows'][number] {
  const days = KEYS.daysOf(row.id ?? '');
  const changed = Object.entries(row).flatMap(([name, value = '']): [string, string][] => {
    if (['full_name', 'story', 'reach', 'days'].includes(name)) return [];
    if (name === 'id') return [[name, KEYS.pseudonymOf(value)]];
    if (value === '94') return [[name, '90']];
    if (name === 'home') return [[name, value === '03601' ? '000' : '021']];
    if (!/^\d{4}-/.test(value)) return [[name, value]];
    const shifted = new Date(Date.parse(value.slice(0, 10)) - days * DAY_MS);
    return [[name, shifted.toISOString().slice(0, 10) + value.slice(10)]];
  });
  return Object.fromEntries(changed);
}

function smallerStudy(whole: Study): Study {
  const removed = ['full_name', 'story', 'reach', 'days'];
  const fields = whole.fields
    .filter(({ name }) => !removed.includes(name))
    .map((each) => ({
      ...each,
      branchingLogic: '',
      ...(each.name === 'home' && { validationType: '' }),
      ...(each.name === 'met' && { validationMin: '' }),
    }));
  return { ...whole, fields, rows: whole.rows.map(byHand) };
}

const POLICY = `version: 1
policies:
  analyst:
    records: all
    forms: { "*": read }
    deidentify: limited
    transform: { age: { top: 90 }, zip: { keep: 3 } }
bindings: []
`;

const SELECTIONS: readonly Omit<OpenRecordsOptions, 'format'>[] = [
  {},
  { fields: ['id'] },
  { fields: ['met', 'id', 'sites'] },
  { forms: ['meds'], fields: ['id'] },
  { events: ['end_arm_1'] },
  { records: [KEYS.pseudonymOf('A-1')] },
  { records: [KEYS.pseudonymOf('B-2'), 'B-2', 'nobody'] },
  { filterLogic: '[age] >= 90' },
  { filterLogic: '[age] > 90' },
  { filterLogic: "[start_arm_1][home] = '021'" },
  { filterLogic: `[id] = '${KEYS.pseudonymOf('C 3')}'` },
  { filterLogic: `[start_arm_1][met] < '2026-02-28' and [start_arm_1][met] <> ''` },
  { exportBlankForGrayFormStatus: true, exportDataAccessGroups: true },
  { rawOrLabel: 'label', rawOrLabelHeaders: 'label', exportCheckboxLabel: true },
  { type: 'eav' },
  { type: 'eav', rawOrLabel: 'label', fields: ['id', 'taken', 'age'] },
  { combineCheckboxOptions: true, csvDelimiter: ';', decimalCharacter: ',' },
];

describe('The exports of a de-identified view are those of a project with changed values', () => {
  const start = sandboxCalls();
  const restricted = async (
    calls: CrfCalls,
    keys: RecordKeys = KEYS,
    policyFile = POLICY,
  ): Promise<CrfCalls> => {
    const set = readPolicyFile(policyFile);
    const structure = await loadProjectStructure(calls);
    const { analyst } = set.policies;
    if (analyst === undefined) throw new Error('The policy is there.');
    const compiled = compilePolicy('analyst', analyst, structure, acceptAll(set, structure).policies.analyst);
    return restrict(calls, viewWith(compiled, { kind: 'all' }, '', keys));
  };

  /** Rows of different ids are in another order. */
  const linesOf = async (calls: CrfCalls, options: OpenRecordsOptions): Promise<string[]> => {
    const bytes = await text(await calls.openRecords(options));
    if (options.format === 'json')
      return (JSON.parse(bytes) as unknown[]).map((row) => JSON.stringify(row)).sort();
    const [header = '', ...rows] = bytes.split('\n');
    return [header, ...rows.sort()];
  };

  it('in every form of an export, with filters and pseudonyms in the place of ids', async () => {
    const whole = wholeStudy();
    const view = await restricted(await start(whole));
    const expected = await start(smallerStudy(whole));
    for (const selection of SELECTIONS) {
      for (const format of ['json', 'csv'] as const) {
        const lines = await linesOf(view, { ...selection, format });

        expect(lines, `${JSON.stringify(selection)} ${format}`).to.deep.equal(
          await linesOf(expected, { ...selection, format }),
        );
      }
    }
  });

  it('and so is its data dictionary', async () => {
    const whole = wholeStudy();
    const view = await restricted(await start(whole));

    expect(await view.getMetadata()).to.deep.equal(await (await start(smallerStudy(whole))).getMetadata());
  });

  it('with nothing for the ids of the project itself, for another key, and for guesses', async () => {
    const calls = await start(wholeStudy());
    const view = await restricted(calls);
    const foreign = new RecordKeys(Buffer.alloc(32, 3), 'other').pseudonymOf('A-1');

    for (const id of ['A-1', foreign, KEYS.pseudonymOf('D-4'), KEYS.pseudonymOf('A-1').toLowerCase()])
      expect(await view.exportRecords({ records: [id] }), id).to.deep.equal([]);
  });

  it('to the year under safe-harbor, where an id leads to its record only within one view', async () => {
    const calls = await start(wholeStudy());
    const strict = POLICY.replace('limited', 'safe-harbor').replace(/ {4}transform.*\n/, '');
    const once = (): RecordKeys => new RecordKeys(Buffer.alloc(32, 3), 'test', true);
    const [one, other] = [await restricted(calls, once(), strict), await restricted(calls, once(), strict)];

    const rows = await one.exportRecords({ fields: ['id', 'met', 'age', 'home'], events: ['start_arm_1'] });

    const values = rows.filter((row) => row.age !== '').map(({ met, age, home }) => [met, age, home]);
    expect(values).to.deep.equal([
      ['', '90', ''],
      ['2026', '-99', '000'],
      ['-99', '41', '021'],
    ]);
    const records = [String(rows[0]?.id)];
    expect(await one.exportRecords({ records, fields: ['id'] })).to.have.length.above(0);
    expect(await other.exportRecords({ records, fields: ['id'] })).to.deep.equal([]);
  });

  it('which nobody gets without a key', async () => {
    const calls = await start(wholeStudy());
    const view = restrict(calls, viewOf({ deidentify: deidentifiedBy({ keys: undefined }) }));

    expect(await rejection(view.exportRecords())).to.have.property('code', 'not_in_policy');
  });
});
