import { expect } from 'chai';
import { DataDictionary } from '../../../../src/domain/dictionary/data-dictionary.js';
import type { Field } from '../../../../src/domain/dictionary/field.js';
import { ProjectStructure } from '../../../../src/domain/dictionary/project-structure.js';
import type { RecordRow } from '../../../../src/gateways/redcap/crf-client.js';
import { checkRecord } from '../../../../src/records/rules/check-record.js';
import { compileForms } from '../../../../src/records/rules/form-checks.js';
import { RecordView } from '../../../../src/records/rules/record-view.js';
import { someField } from '../../../support/some-field.js';

const NOW = new Date('2026-03-01T00:00:00Z');

async function findingsOf(structure: ProjectStructure, rows: readonly RecordRow[]): Promise<string[]> {
  const forms = await compileForms(structure, () => NOW);
  const view = new RecordView(structure, 'A', rows);
  return [...checkRecord(view, forms, structure)].map(
    ({ event, instance, field, rule }) =>
      `${event}${instance === null ? '' : `#${instance}`} ${field} ${rule}`,
  );
}

const classic = (fields: Field[], missingDataCodes: string[] = []): ProjectStructure =>
  new ProjectStructure({
    dictionary: new DataDictionary([someField('id'), ...fields]),
    missingDataCodes,
  });

describe('checkRecord', () => {
  const AGE = someField('age', { validationType: 'integer', validationMin: '18', validationMax: '99' });

  it('distinguishes invalid values from values out of range', async () => {
    const structure = classic([AGE, someField('year', { validationType: 'integer' })]);

    expect(
      await findingsOf(structure, [{ id: 'A', age: '17', year: 'x', base_complete: '1' }]),
    ).to.deep.equal([' age out_of_range', ' year invalid_value']);
  });

  it('accepts a missing data code', async () => {
    expect(
      await findingsOf(classic([AGE], ['UNK']), [{ id: 'A', age: 'UNK', base_complete: '1' }]),
    ).to.deep.equal([]);
  });

  it('treats a missing data code of a checkbox field as an answer', async () => {
    const sites = someField('sites', {
      type: 'checkbox',
      choicesOrCalculations: '1, North',
      isRequired: true,
    });
    const of = (unk: string) => [{ id: 'A', sites___1: '0', sites___unk: unk, base_complete: '2' }];

    expect(await findingsOf(classic([sites], ['UNK']), of('1'))).to.deep.equal([]);
    expect(await findingsOf(classic([sites], ['UNK']), of('0'))).to.deep.equal([
      ' sites required_empty',
      ' base_complete contradicting_status',
    ]);
  });

  for (const [title, row, expected] of [
    ['shown by a value', { smokes: '1', cigars: '', base_complete: '1' }, [' cigars required_empty']],
    ['hidden', { smokes: '0', cigars: '', base_complete: '2' }, []],
    ['hidden and filled in', { smokes: '0', cigars: '3', base_complete: '1' }, [' cigars hidden_value']],
    [
      'shown on a form that is complete',
      { smokes: '1', cigars: '', base_complete: '2' },
      [' cigars required_empty', ' base_complete contradicting_status'],
    ],
    ['on a form that is not begun', { smokes: '', cigars: '', base_complete: '' }, []],
  ] as const) {
    it(`checks a required field that is ${title}`, async () => {
      const structure = classic([
        someField('smokes', { type: 'yesno' }),
        someField('cigars', { isRequired: true, branchingLogic: "[smokes] = '1'" }),
      ]);

      expect(await findingsOf(structure, [{ id: 'A', ...row }])).to.deep.equal(expected);
    });
  }

  it('treats an unchecked checkbox as empty', async () => {
    const structure = classic([
      someField('name'),
      someField('marks', {
        type: 'checkbox',
        choicesOrCalculations: '1, A | 2, B',
        branchingLogic: "[name] = 'x'",
      }),
    ]);
    const row = { id: 'A', name: 'y', marks___1: '0', marks___2: '1', base_complete: '1' };

    expect(await findingsOf(structure, [row])).to.deep.equal([' marks___2 hidden_value']);
  });

  it('compares calculated values as numbers', async () => {
    const structure = classic([
      AGE,
      someField('twice', { type: 'calc', choicesOrCalculations: '[age] * 2' }),
    ]);
    const rowOf = (twice: string) => [{ id: 'A', age: '20', twice, base_complete: '1' }];

    expect(await findingsOf(structure, rowOf('40.0'))).to.deep.equal([]);
    expect(await findingsOf(structure, rowOf('41'))).to.deep.equal([' twice stale_calculation']);
    expect(await findingsOf(structure, rowOf(''))).to.deep.equal([' twice stale_calculation']);
  });

  it('ignores the digits in which PHP and JavaScript format a calculated value differently', async () => {
    const third = someField('third', { type: 'calc', choicesOrCalculations: '[weight] / 3' });
    const structure = classic([someField('weight', { validationType: 'number' }), third]);
    const rowOf = (weight: string, value: string) => [{ id: 'A', weight, third: value, base_complete: '1' }];

    expect(await findingsOf(structure, rowOf('0.1', '0.033333333333333'))).to.deep.equal([]);
    expect(await findingsOf(structure, rowOf('0.0000003', '1.0E-7'))).to.deep.equal([]);
    expect(await findingsOf(structure, rowOf('0.1', '0.0333333'))).to.deep.equal([
      ' third stale_calculation',
    ]);
    expect(await findingsOf(structure, rowOf('0.1', 'x'))).to.deep.equal([' third stale_calculation']);
  });

  for (const formula of [
    "datediff([seen], 'today', 'd')",
    'round(datediff("now", [seen], "d") / 7, 1)',
    "if([seen] = '', 0, year('today'))",
    'age_at_date([seen])',
  ])
    it(`does not compare the stored values of ${formula}, and says so once for the field`, async () => {
      const seen = someField('seen', { validationType: 'date_ymd' });
      const structure = classic([seen, someField('days', { type: 'calc', choicesOrCalculations: formula })]);
      const rows = ['1', '2'].map((days) => ({ id: 'A', seen: '2026-02-01', days, base_complete: '2' }));
      const [form] = await compileForms(structure, () => NOW);

      expect(await findingsOf(structure, rows)).to.deep.equal([]);
      expect(form?.fields.flatMap(({ notChecked }) => notChecked)).to.have.length(1);
      expect(form?.fields.at(-1)?.notChecked[0]?.message).to.match(/^has a calculation with today or now/);
    });

  for (const [formula, days] of [
    ["datediff([seen], '03-02-2026', 'd', 'dmy')", '2'],
    ["datediff([seen], '02/03/2026', 'd', 'mdy', true)", '2'],
  ] as const)
    it(`compares ${formula}, whose literal date is in the order that it says`, async () => {
      const seen = someField('seen', { validationType: 'date_dmy' });
      const field = someField('days', { type: 'calc', choicesOrCalculations: formula });
      const rows = (value: string) => [{ id: 'A', seen: '2026-02-01', days: value, base_complete: '2' }];

      expect(await findingsOf(classic([seen, field]), rows(days))).to.deep.equal([]);
      expect(await findingsOf(classic([seen, field]), rows(''))).to.deep.equal([' days stale_calculation']);
    });

  for (const [what, fields] of [
    [
      'a literal date whose order is not known, in a calculation',
      [someField('days', { type: 'calc', choicesOrCalculations: "datediff([seen], '03-02-2026', 'd')" })],
    ],
    [
      'a literal date whose order is not known, in branching logic',
      [someField('days', { branchingLogic: "datediff([seen], '31/12/2026', 'd', true) > 0" })],
    ],
    ['a text that @CALCTEXT computes', [someField('days', { annotation: "@CALCTEXT(if([seen]='', 1, 2))" })]],
    ['a date that @CALCDATE computes', [someField('days', { annotation: "@CALCDATE([seen], 7, 'd')" })]],
    [
      'a calculation that @CALCTEXT replaces',
      [someField('days', { type: 'calc', choicesOrCalculations: '1', annotation: '@CALCTEXT([seen])' })],
    ],
    ['the limit today', [someField('days', { validationType: 'date_ymd', validationMax: 'today' })]],
    ['the limit now', [someField('days', { validationType: 'datetime_dmy', validationMin: 'now' })]],
    [
      'the limit of another field',
      [someField('days', { validationType: 'integer', validationMax: '[seen]' })],
    ],
  ] as const)
    it(`does not judge ${what}, and says so once for the field`, async () => {
      const structure = classic([someField('seen', { validationType: 'date_ymd' }), ...fields]);
      const days = fields[0].validationType === 'integer' ? '3' : '2030-01-01';
      const stored = fields[0].validationType === 'datetime_dmy' ? `${days} 10:00` : days;
      const rows = [{ id: 'A', seen: '2026-02-01', days: stored, base_complete: '2' }];
      const [form] = await compileForms(structure, () => NOW);

      expect(await findingsOf(structure, rows)).to.deep.equal([]);
      expect(form?.fields.map(({ notChecked }) => notChecked.length)).to.deep.equal([0, 0, 1]);
    });

  it('does not report a computed text that is hidden, as REDCap keeps its last result', async () => {
    const shown = someField('shown');
    const text = someField('text', { annotation: '@CALCTEXT([shown])', branchingLogic: "[shown] = '1'" });
    const rows = [{ id: 'A', shown: '0', text: 'x', base_complete: '2' }];

    expect(await findingsOf(classic([shown, text]), rows)).to.deep.equal([]);
  });

  it('compares a calculation with two dates of the record, and evaluates branching logic with today', async () => {
    const seen = someField('seen', {
      validationType: 'date_ymd',
      branchingLogic: "datediff([id], 'today', 'd') = ''",
    });
    const structure = classic([
      seen,
      someField('days', { type: 'calc', choicesOrCalculations: "datediff([seen], '2026-02-03', 'd')" }),
    ]);
    const rows = [{ id: 'A', seen: '2026-02-01', days: '9', base_complete: '2' }];

    expect(await findingsOf(structure, rows)).to.deep.equal([' days stale_calculation']);
  });

  it('suggests names for only ten unknown fields of a project', async () => {
    const fields = [...'abcdefghijkl'].map((letter) =>
      someField(`field_${letter}`, { branchingLogic: `[age${letter}] = 1` }),
    );
    const forms = await compileForms(classic([AGE, ...fields]), () => NOW);
    const notes = forms.flatMap((form) => form.fields.flatMap(({ notChecked }) => notChecked));

    expect(notes).to.have.length(12);
    expect(notes.filter((note) => note.message.includes('did you mean'))).to.have.length(10);
  });

  it('reports nothing that depends on unknown logic, and notes what was not checked', async () => {
    const structure = classic([
      AGE,
      someField('secret', { isRequired: true, branchingLogic: '[user-name] = 1' }),
      someField('rank', { type: 'calc', choicesOrCalculations: 'rank([age])' }),
    ]);
    const forms = await compileForms(structure, () => NOW);

    expect(
      await findingsOf(structure, [{ id: 'A', age: '20', secret: '', rank: '', base_complete: '1' }]),
    ).to.deep.equal([]);
    expect(
      forms[0]?.fields.flatMap(({ notChecked }) => notChecked.map(({ message }) => message)),
    ).to.deep.equal([
      'has branching logic that is not known in all parts at character 1: [user-name] is not known here',
      'has a calculation that is not known in all parts at character 1: the function rank is not known here',
    ]);
  });

  it('finds a form status that contradicts the values of the form', async () => {
    const structure = classic([AGE]);

    expect(await findingsOf(structure, [{ id: 'A', age: '20', base_complete: '' }])).to.deep.equal([
      ' base_complete contradicting_status',
    ]);
    expect(await findingsOf(structure, [{ id: 'A', age: '', base_complete: '2' }])).to.deep.equal([
      ' base_complete contradicting_status',
    ]);
  });

  describe('in a project with events and repeating instruments', () => {
    const structure = new ProjectStructure({
      dictionary: new DataDictionary([
        someField('id', { instrument: 'enrol' }),
        someField('age', { instrument: 'enrol' }),
        someField('pulse', { instrument: 'visit', branchingLogic: '[start_arm_1][age] > 17' }),
        someField('drug', { instrument: 'meds' }),
        someField('dose', { instrument: 'meds', branchingLogic: "[drug] <> '' and [age] > 17" }),
        someField('again', {
          instrument: 'meds',
          type: 'calc',
          choicesOrCalculations: 'if([drug] = [drug][previous-instance], 1, 0)',
        }),
      ]),
      events: [
        { uniqueName: 'start_arm_1', label: 'Start', arm: 1 },
        { uniqueName: 'end_arm_1', label: 'End', arm: 1 },
      ],
      mappings: [
        { event: 'start_arm_1', instrument: 'enrol' },
        { event: 'start_arm_1', instrument: 'meds' },
        { event: 'end_arm_1', instrument: 'visit' },
      ],
      repeating: [{ event: 'start_arm_1', instrument: 'meds' }],
    });
    const meds = (instance: number, drug: string, dose: string, again: string) => ({
      id: 'A',
      redcap_event_name: 'start_arm_1',
      redcap_repeat_instrument: 'meds',
      redcap_repeat_instance: instance,
      drug,
      dose,
      again,
      meds_complete: '1',
    });
    const base = (event: string, values: RecordRow) => ({
      id: 'A',
      redcap_event_name: event,
      redcap_repeat_instrument: '',
      redcap_repeat_instance: '',
      ...values,
    });

    it('reads fields of other events, of the base row and of previous instances', async () => {
      const rows = [
        base('start_arm_1', { age: '17', enrol_complete: '1' }),
        base('end_arm_1', { pulse: '60', visit_complete: '1' }),
        meds(1, 'x', '5', '0'),
        meds(2, 'x', '', '0'),
      ];

      expect(await findingsOf(structure, rows)).to.deep.equal([
        'end_arm_1 pulse hidden_value',
        'start_arm_1#1 dose hidden_value',
        'start_arm_1#2 again stale_calculation',
      ]);
    });
  });

  it('treats the lowest instance as the first, because instances can be deleted', async () => {
    const structure = new ProjectStructure({
      dictionary: new DataDictionary([
        someField('id'),
        someField('drug', { instrument: 'meds' }),
        someField('same', {
          instrument: 'meds',
          type: 'calc',
          choicesOrCalculations: 'if([drug] = [drug][first-instance], 1, 0)',
        }),
      ]),
      repeating: [{ event: '', instrument: 'meds' }],
    });
    const rowOf = (instance: number, same: string) => ({
      id: 'A',
      redcap_repeat_instrument: 'meds',
      redcap_repeat_instance: instance,
      drug: 'x',
      same,
      meds_complete: '1',
    });

    expect(await findingsOf(structure, [rowOf(2, '1'), rowOf(3, '1')])).to.deep.equal([]);
    expect(await findingsOf(structure, [rowOf(2, '1'), rowOf(3, '0')])).to.deep.equal([
      '#3 same stale_calculation',
    ]);
  });
});
