import { expect } from 'chai';
import { text } from 'node:stream/consumers';
import type { CrfCalls, OpenRecordsOptions } from '../../../src/gateways/redcap/crf-client.js';
import type { ProjectView } from '../../../src/policy/project-view.js';
import { restrict } from '../../../src/policy/restrict.js';
import type { Study } from '../../../src/sandbox/redcap/study.js';
import { rejection } from '../../support/rejection.js';
import { sandboxCalls } from '../../support/sandbox-client.js';
import { classicStudy, longitudinalStudy } from '../../support/studies.js';
import { logicOf, viewOf } from '../../support/view-of.js';

const GROUPS = [
  { id: 1, name: 'Paris', uniqueName: 'paris' },
  { id: 2, name: 'Rome', uniqueName: 'rome' },
];

const read = (...names: string[]) => new Map(names.map((name) => [name, 'read' as const]));

/** Every export of these is compared. */
const SELECTIONS: readonly Omit<OpenRecordsOptions, 'format'>[] = [
  {},
  { fields: ['id'] },
  { fields: ['sites'] },
  { fields: ['id', 'base_complete'] },
  { forms: ['base'] },
  { records: ['A-1', 'nobody'] },
  { records: ['nobody'] },
  { filterLogic: "[sites(1)] = '1'" },
  { exportBlankForGrayFormStatus: true },
  { csvDelimiter: ';' },
];

const FORMS = [
  { rawOrLabel: 'label' },
  { rawOrLabel: 'label', exportCheckboxLabel: true, rawOrLabelHeaders: 'label' },
  { type: 'eav', fields: ['id', 'sites'] },
  { decimalCharacter: ',' },
] as const;

describe('The exports of a view are those of a project without what it hides', () => {
  const start = sandboxCalls();

  const bytesOf = async (calls: CrfCalls, options: OpenRecordsOptions): Promise<string> =>
    text(await calls.openRecords(options));

  const compare = async (
    whole: Study,
    view: Partial<ProjectView>,
    smaller: Study,
    selections: readonly Omit<OpenRecordsOptions, 'format'>[] = SELECTIONS,
  ): Promise<void> => {
    const restricted = restrict(await start(whole), viewOf(view));
    const expected = await start(smaller);
    for (const selection of selections) {
      const told = JSON.stringify(selection);
      expect(await restricted.exportRecords(selection), told).to.deep.equal(
        await expected.exportRecords(selection),
      );
      for (const format of ['json', 'csv'] as const) {
        expect(await bytesOf(restricted, { ...selection, format }), `${told} ${format}`).to.equal(
          await bytesOf(expected, { ...selection, format }),
        );
      }
    }
  };

  it('in a classic project with hidden fields, as labels and as EAV too', async () => {
    const whole = classicStudy();
    const hidden = ['weight', 'born', 'twice', 'intro'];
    const fields = whole.fields.filter(({ name }) => !hidden.includes(name));
    const smaller = {
      ...whole,
      fields,
      rows: whole.rows.map(({ weight: _weight, born: _born, ...row }) => row),
    };
    const view = { fields: read('id', 'age', 'sites', 'sex'), forms: read('base') };
    await compare(whole, view, smaller, [...SELECTIONS, ...FORMS]);
  });

  it('in a longitudinal project with repeats, where a row of a hidden form alone is none', async () => {
    const whole = longitudinalStudy();
    const smaller = {
      ...whole,
      fields: whole.fields.filter(({ instrument }) => instrument !== 'visit'),
      instruments: whole.instruments.filter(({ name }) => name !== 'visit'),
      mappings: whole.mappings.filter(({ instrument }) => instrument !== 'visit'),
      rows: whole.rows
        .filter((row) => row.redcap_event_name !== 'end_arm_1')
        .map(({ pulse: _pulse, ...row }) => row),
    };
    const view = { fields: read('id', 'age', 'sites', 'drug'), forms: read('base', 'meds') };
    await compare(whole, view, smaller, [...SELECTIONS, { forms: ['meds'] }, { fields: ['id', 'drug'] }]);
  });

  it('without the columns of instances if all that repeats is hidden', async () => {
    const whole = longitudinalStudy();
    const smaller = {
      ...whole,
      fields: whole.fields.filter(({ instrument }) => instrument !== 'meds'),
      instruments: whole.instruments.filter(({ name }) => name !== 'meds'),
      mappings: whole.mappings.filter(({ instrument }) => instrument !== 'meds'),
      repeating: [],
      rows: whole.rows.filter(({ drug }) => drug === undefined),
    };
    const view = { fields: read('id', 'age', 'sites', 'pulse'), forms: read('base', 'visit') };
    await compare(whole, view, smaller);
  });

  it('with a hidden event', async () => {
    const study = longitudinalStudy();
    const later = { uniqueName: 'later_arm_1', label: 'later', arm: 1 };
    const whole = {
      ...study,
      events: [...study.events, later],
      mappings: [...study.mappings, { event: 'later_arm_1', instrument: 'visit' }],
      rows: [...study.rows, { id: 'B-2', redcap_event_name: 'end_arm_1', pulse: '61' }],
    };
    const smaller = {
      ...whole,
      events: whole.events.filter(({ uniqueName }) => uniqueName !== 'end_arm_1'),
      mappings: whole.mappings.filter(({ event }) => event !== 'end_arm_1'),
      // That there is a record says nothing of what it has at the hidden event.
      rows: [
        ...whole.rows.filter((row) => row.redcap_event_name !== 'end_arm_1'),
        { id: 'B-2', redcap_event_name: 'start_arm_1' },
      ],
    };
    const all = read('id', 'age', 'sites', 'pulse', 'drug');
    const view = {
      fields: all,
      forms: read('base', 'visit', 'meds'),
      events: new Set(['start_arm_1', 'later_arm_1']),
    };
    await compare(whole, view, smaller);
  });

  const grouped = (): Study => {
    const study = classicStudy();
    const rows = study.rows.map((row) => ({
      ...row,
      redcap_data_access_group: row.id === '10' || row.id === 'A-1' ? 'paris' : 'rome',
    }));
    return { ...study, groups: GROUPS, rows };
  };
  const everything = {
    fields: read(...classicStudy().fields.map(({ name }) => name)),
    forms: read('base'),
  };

  it('in a data access group', async () => {
    const whole = grouped();
    const smaller = { ...whole, rows: whole.rows.filter((row) => row.redcap_data_access_group === 'paris') };
    const view = { ...everything, rows: { kind: 'dag', dag: 'paris' } as const };
    await compare(whole, view, smaller, [
      ...SELECTIONS,
      { exportDataAccessGroups: true },
      { records: ['2'] },
    ]);
  });

  const ownAge = (equals: string): Partial<ProjectView> => ({
    ...everything,
    rows: { kind: 'own', field: 'age', events: undefined, equals },
  });

  it('of the one record of its owner', async () => {
    const whole = classicStudy();
    const smaller = { ...whole, rows: whole.rows.filter(({ id }) => id === 'A-1') };
    await compare(whole, ownAge('40'), smaller);
  });

  it('of the one record of its owner, with one call where a record is one row', async () => {
    const calls = await start(classicStudy());
    let exports = 0;
    const exportRecords = calls.exportRecords.bind(calls);
    const counted: Pick<CrfCalls, 'exportRecords'> = {
      exportRecords: (options) => {
        exports += 1;
        return exportRecords(options);
      },
    };

    const rows = await restrict(Object.assign(calls, counted), viewOf(ownAge('40'))).exportRecords();

    expect([rows.length, exports]).to.deep.equal([1, 1]);
  });

  it('and are empty for an owner of several records, of none, or without a value', async () => {
    const whole = classicStudy();
    const twice = { ...whole, rows: [...whole.rows, { id: '11', age: '20' }] };
    const calls = await start(twice);
    for (const equals of ['20', '99', '', ' ', `'"`]) {
      expect(await restrict(calls, viewOf(ownAge(equals))).exportRecords(), equals).to.deep.equal([]);
    }
  });

  it('of the records that satisfy a condition on a hidden field', async () => {
    const whole = classicStudy();
    const without = ({ age: _age, ...row }: Readonly<Record<string, string>>) => row;
    const smaller = {
      ...whole,
      fields: whole.fields.filter(({ name }) => name !== 'age' && name !== 'twice'),
      rows: whole.rows.filter(({ age }) => Number(age) >= 30).map(without),
    };
    const view = {
      fields: read(...smaller.fields.map(({ name }) => name)),
      forms: read('base'),
      rows: { kind: 'where', logic: logicOf('[age] >= 30') } as const,
    };
    await compare(whole, view, smaller, [...SELECTIONS, ...FORMS]);
  });

  it('of the records of which a row, also of a hidden event, satisfies a condition', async () => {
    const study = longitudinalStudy();
    const other = { id: 'B-2', redcap_event_name: 'start_arm_1', age: '7', pulse: '61' };
    const whole = { ...study, rows: [...study.rows, other] };
    const smaller = {
      ...whole,
      events: whole.events.filter(({ uniqueName }) => uniqueName !== 'end_arm_1'),
      mappings: whole.mappings.filter(({ event }) => event !== 'end_arm_1'),
      rows: study.rows.filter((row) => row.redcap_event_name !== 'end_arm_1'),
    };
    const view = {
      fields: read('id', 'age', 'sites', 'pulse', 'drug'),
      forms: read('base', 'visit', 'meds'),
      events: new Set(['start_arm_1']),
      rows: { kind: 'where', logic: logicOf('[end_arm_1][pulse] = 70') } as const,
    };
    const sandbox = await start(whole);
    const shown = await restrict(sandbox, viewOf(view)).exportRecords();
    expect(shown).to.deep.equal(
      await start({ ...smaller, events: whole.events, mappings: whole.mappings }).then((calls) =>
        calls.exportRecords({ events: ['start_arm_1'] }),
      ),
    );
  });

  it('are without the records for which a condition is not known', async () => {
    const view = viewOf({
      ...everything,
      rows: { kind: 'where', logic: logicOf('[sites] = 1 or [age] = 40') },
    });
    const rows = await restrict(await start(classicStudy()), view).exportRecords({ fields: ['id'] });
    expect(rows).to.deep.equal([{ id: 'A-1' }]);
  });

  it('refuse a hidden name with the words for one that does not exist', async () => {
    const calls = restrict(
      await start(longitudinalStudy()),
      viewOf({ fields: read('id'), forms: read('base'), events: new Set(['start_arm_1']) }),
    );
    const pairs: [hidden: Partial<OpenRecordsOptions>, unknown: Partial<OpenRecordsOptions>][] = [
      [{ fields: ['age'] }, { fields: ['nonesuch'] }],
      [{ fields: ['visit_complete'] }, { fields: ['nonesuch_complete'] }],
      [{ forms: ['visit'] }, { forms: ['nonesuch'] }],
      [{ events: ['end_arm_1'] }, { events: ['nonesuch_arm_1'] }],
      [{ filterLogic: '[age] > 1' }, { filterLogic: '[nonesuch] > 1' }],
      [{ filterLogic: "[end_arm_1][id] = ''" }, { filterLogic: "[nonesuch_arm_1][id] = ''" }],
    ];
    for (const [hidden, unknown] of pairs) {
      const refused = await rejection(calls.exportRecords(hidden));
      const missing = await rejection(calls.exportRecords(unknown));
      expect(refused.message.replace(/^\w+ (?=is not)/, ''), JSON.stringify(hidden)).to.equal(
        missing.message.replace(/^\w+ (?=is not)/, ''),
      );
    }
  });

  it('refuse what could tell of hidden values: dates of changes, smart variables, unknown functions', async () => {
    const calls = restrict(await start(classicStudy()), viewOf(everything));
    const tries = [
      { from: '2026-01-01' },
      { filterLogic: "[user-name] = 'x'" },
      { filterLogic: 'nonesuch([age]) = 1' },
      { filterLogic: '[age:value] = 1' },
    ];
    for (const options of tries) {
      expect(await rejection(calls.exportRecords(options)), JSON.stringify(options)).to.have.property(
        'code',
        'invalid_request',
      );
    }
  });
});
