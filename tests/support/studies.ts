import type { Field } from '../../src/domain/dictionary/field.js';
import { DEMO_USERS } from '../../src/sandbox/demo-study/demo-study.js';
import { defineInstrument, type FieldDefinition } from './define-instrument.js';
import type { Study } from '../../src/sandbox/redcap/study.js';

const BASE: FieldDefinition[] = [
  { name: 'id', type: 'text', label: 'Id' },
  {
    name: 'age',
    type: 'text',
    label: 'Age',
    validationType: 'integer',
    validationMin: '0',
    validationMax: '99',
  },
  {
    name: 'sites',
    type: 'checkbox',
    label: 'Sites',
    choicesOrCalculations: '1, North | 2, South, far | -99, Unknown',
  },
  { name: 'sex', type: 'radio', label: 'Sex', choicesOrCalculations: '1, Female | 2, Male' },
  { name: 'intro', type: 'descriptive', label: 'Welcome' },
  { name: 'born', type: 'text', label: 'Born', validationType: 'date_dmy' },
  { name: 'twice', type: 'calc', label: 'Twice the age', choicesOrCalculations: '[age] * 2' },
  { name: 'weight', type: 'text', label: 'Weight', validationType: 'number' },
];

function study(fields: readonly Field[], parts: Partial<Study>): Study {
  const instruments = [...new Set(fields.map(({ instrument }) => instrument))];
  return {
    project: {
      title: 'Test',
      notes: '',
      purpose: 0,
      piFirstName: '',
      piLastName: '',
      surveysEnabled: false,
      missingDataCodes: '',
      creationTime: '2026-01-01 00:00:00',
    },
    fields,
    instruments: instruments.map((name) => ({ name, label: `The ${name}` })),
    arms: [],
    events: [],
    mappings: [],
    repeating: [],
    users: DEMO_USERS,
    rows: [],
    ...parts,
  };
}

/** Returns a study with one instrument and the records 2, 10 and A-1. */
export function classicStudy(): Study {
  return study(defineInstrument('base', BASE), {
    rows: [
      { id: '10', age: '20', sites___1: '1', sex: '1', weight: '26.8', base_complete: '2' },
      { id: 'A-1', age: '40', sites____99: '1', sex: '2' },
      { id: '2', age: '30', born: '1996-02-29' },
    ],
  });
}

/** Returns `classicStudy` with `sex` as a randomized field, which is blank in record 2. */
export function randomizedStudy(): Study {
  const classic = classicStudy();
  return {
    ...classic,
    project: { ...classic.project, settings: { randomization_enabled: 1 } },
    fields: classic.fields.map((field) =>
      field.name === 'sex' ? { ...field, annotation: '@RANDOMIZE' } : field,
    ),
  };
}

/** Returns a study with two events: `visit` is at both, `base` and the repeating `meds` at the first. */
export function longitudinalStudy(): Study {
  const fields = [
    ...defineInstrument('base', BASE.slice(0, 3)),
    ...defineInstrument('visit', [
      { name: 'pulse', type: 'text', label: 'Pulse', validationType: 'integer' },
    ]),
    ...defineInstrument('meds', [{ name: 'drug', type: 'text', label: 'Drug' }]),
  ];
  const events = ['start_arm_1', 'end_arm_1'];
  const row = (event: string, values: Record<string, string>) => ({
    id: 'A-1',
    redcap_event_name: event,
    ...values,
  });
  return study(fields, {
    arms: [{ number: 1, name: 'Arm 1' }],
    events: events.map((uniqueName) => ({ uniqueName, label: uniqueName.split('_')[0] ?? '', arm: 1 })),
    mappings: [
      { event: 'start_arm_1', instrument: 'base' },
      { event: 'start_arm_1', instrument: 'visit' },
      { event: 'start_arm_1', instrument: 'meds' },
      { event: 'end_arm_1', instrument: 'visit' },
    ],
    repeating: [{ event: 'start_arm_1', instrument: 'meds', customLabel: '' }],
    rows: [
      row('start_arm_1', { redcap_repeat_instrument: 'meds', redcap_repeat_instance: '2', drug: 'drug y' }),
      row('start_arm_1', { redcap_repeat_instrument: 'meds', redcap_repeat_instance: '1', drug: 'drug x' }),
      row('end_arm_1', { pulse: '70' }),
      row('start_arm_1', { age: '40', sites___1: '1', pulse: '60' }),
    ],
  });
}

/**
 * Returns a study with two arms. In the first arm, `enrol` and the repeating `meds` are at the first event, and the
 * second event repeats as a whole. The second arm has only `enrol`. The study has missing data codes, files, surveys
 * and most field types.
 */
export function armsStudy(): Study {
  const fields = [
    ...defineInstrument('enrol', [
      { name: 'id', type: 'text', label: 'Id' },
      { name: 'name', type: 'text', label: 'Name', isIdentifier: true },
      { name: 'consent', type: 'file', label: 'Consent form' },
      { name: 'alive', type: 'truefalse', label: 'Alive' },
      { name: 'smoker', type: 'yesno', label: 'Smokes' },
      { name: 'mood', type: 'dropdown', label: 'Mood, today', choicesOrCalculations: 'g, Good | b, Bad' },
      { name: 'marks', type: 'checkbox', label: 'Marks', choicesOrCalculations: 'Aa, First | 2, Second' },
      { name: 'pain', type: 'slider', label: 'Pain', choicesOrCalculations: 'none | some | much' },
      { name: 'note', type: 'notes', label: 'Note' },
    ]),
    ...defineInstrument('visit', [
      { name: 'weight', type: 'text', label: 'Weight', validationType: 'number_1dp' },
      { name: 'seen', type: 'text', label: 'Seen at', validationType: 'datetime_dmy' },
      { name: 'half', type: 'calc', label: 'Half of it', choicesOrCalculations: '[weight] / 2' },
    ]),
    ...defineInstrument('meds', [{ name: 'drug', type: 'text', label: 'Drug' }]),
  ];
  const classic = study(fields, {});
  return {
    ...classic,
    project: { ...classic.project, surveysEnabled: true, missingDataCodes: 'UNK, Unknown | -9, Not asked' },
    arms: [
      { number: 1, name: 'Drug A' },
      { number: 2, name: 'Drug B' },
      { number: 3, name: 'Without an event' },
    ],
    events: [
      { uniqueName: 'start_arm_1', label: 'Start', arm: 1 },
      { uniqueName: 'visit_arm_1', label: 'Visit', arm: 1 },
      { uniqueName: 'start_arm_2', label: 'Start', arm: 2 },
    ],
    mappings: [
      { event: 'start_arm_1', instrument: 'enrol' },
      { event: 'start_arm_1', instrument: 'meds' },
      { event: 'visit_arm_1', instrument: 'visit' },
      { event: 'start_arm_2', instrument: 'enrol' },
    ],
    repeating: [
      { event: 'start_arm_1', instrument: 'meds', customLabel: '[drug] taken' },
      { event: 'visit_arm_1', instrument: '', customLabel: '' },
    ],
    rows: [
      {
        id: '1',
        redcap_event_name: 'start_arm_1',
        name: 'Ada',
        consent: 'form.pdf',
        alive: '1',
        smoker: '0',
        mood: 'g',
        marks___aa: '1',
        pain: '40',
        note: 'a "quoted" word,\nand a line',
        enrol_complete: '2',
      },
      { id: '1', redcap_event_name: 'visit_arm_1', redcap_repeat_instance: '2', weight: '71.5' },
      { id: '1', redcap_event_name: 'visit_arm_1', redcap_repeat_instance: '1', weight: '70.0' },
      {
        id: '1',
        redcap_event_name: 'start_arm_1',
        redcap_repeat_instrument: 'meds',
        redcap_repeat_instance: '1',
        drug: 'x',
      },
      { id: '2', redcap_event_name: 'start_arm_2', name: 'UNK', alive: '0', mood: '-9' },
    ],
  };
}

/** A study in which REDCap numbers the records. */
export function numbering(study: Study): Study {
  const settings = { ...study.project.settings, record_autonumbering_enabled: 1 };
  return { ...study, project: { ...study.project, settings } };
}
