import type { Field } from '../../src/dictionary/field.js';
import { DEMO_USERS } from '../../src/sandbox/demo-study/demo-study.js';
import { defineInstrument, type FieldDefinition } from '../../src/sandbox/demo-study/define-field.js';
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

/** Records 2, 10 and A-1 of one instrument. */
export function classicStudy(): Study {
  return study(defineInstrument('base', BASE), {
    rows: [
      { id: '10', age: '20', sites___1: '1', sex: '1', weight: '26.8', base_complete: '2' },
      { id: 'A-1', age: '40', sites____99: '1', sex: '2' },
      { id: '2', age: '30', born: '1996-02-29' },
    ],
  });
}

/** Two events; `visit` in both, `base` in the first, `meds` repeating in the first. */
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
    events: events.map((uniqueName) => ({ uniqueName, label: uniqueName.split('_')[0] ?? '', armNumber: 1 })),
    mappings: [
      { uniqueEventName: 'start_arm_1', instrument: 'base' },
      { uniqueEventName: 'start_arm_1', instrument: 'visit' },
      { uniqueEventName: 'start_arm_1', instrument: 'meds' },
      { uniqueEventName: 'end_arm_1', instrument: 'visit' },
    ],
    repeating: [{ uniqueEventName: 'start_arm_1', instrument: 'meds', customLabel: '' }],
    rows: [
      row('start_arm_1', { redcap_repeat_instrument: 'meds', redcap_repeat_instance: '2', drug: 'drug y' }),
      row('start_arm_1', { redcap_repeat_instrument: 'meds', redcap_repeat_instance: '1', drug: 'drug x' }),
      row('end_arm_1', { pulse: '70' }),
      row('start_arm_1', { age: '40', sites___1: '1', pulse: '60' }),
    ],
  });
}
