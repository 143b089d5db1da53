import fc from 'fast-check';
import type { Field } from '../../src/domain/dictionary/field.js';
import { createDemoStudy } from '../../src/sandbox/demo-study/demo-study.js';
import type { Study } from '../../src/sandbox/redcap/study.js';
import { field, id } from './import-project.js';

/** The design of a random project: classic or longitudinal, repeating or not, with or without missing data codes. */
interface Design {
  readonly events: readonly string[];
  readonly isRepeating: boolean;
  readonly missingDataCodes: string;
}

type Cells = Record<string, string>;

const DESIGN: fc.Arbitrary<Design> = fc.record({
  events: fc.constantFrom([], ['baseline_arm_1'], ['baseline_arm_1', 'followup_arm_1']),
  isRepeating: fc.boolean(),
  missingDataCodes: fc.constantFrom('', 'UNK, Unknown | -99, Not asked'),
});

const FIELDS: readonly Field[] = [
  field('record_id', { instrument: 'base' }),
  field('age', { instrument: 'base', validationType: 'integer', validationMin: '0', validationMax: '120' }),
  field('sex', { instrument: 'base', type: 'radio', choicesOrCalculations: '1, Female | X, Other' }),
  field('sites', { instrument: 'base', type: 'checkbox', choicesOrCalculations: '1, A | -2, B | Cc, C' }),
  field('note', { instrument: 'base', type: 'notes' }),
  field('visit_date', { validationType: 'date_dmy' }),
  field('weight', { validationType: 'number' }),
  field('remark'),
];

/** Texts that are awkward in at least one format. */
const TEXT = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom(
    '"',
    '""',
    'a,b',
    'a\nb',
    'a\r\nb',
    ' a ',
    '=1+1',
    '\\',
    '\\ud800',
    'ü€😀',
    '{"a":[1]}',
    'null',
  ),
);

function baseCells({ missingDataCodes }: Design): fc.Arbitrary<Cells> {
  const missing = missingDataCodes === '' ? [] : ['UNK', '-99'];
  const checked = fc.constantFrom('0', '1');
  const cells = fc.record({
    age: fc.oneof(fc.integer({ min: 0, max: 120 }).map(String), fc.constantFrom('', ...missing)),
    sex: fc.constantFrom('', '1', 'X', ...missing),
    note: TEXT,
    base_complete: fc.constantFrom('0', '1', '2'),
  });
  const boxes = fc.record({ sites___1: checked, sites____2: checked, sites___cc: checked });
  // Where a value is missing, there is no other one.
  const none = { sites___1: '0', sites____2: '0', sites___cc: '0' };
  const missingBoxes = ['unk', '_99']
    .slice(0, missing.length)
    .map((code) => ({ ...none, [`sites___${code}`]: '1' }));
  return fc
    .tuple(cells, fc.oneof(boxes, fc.constantFrom<Cells>(none, ...missingBoxes)))
    .map(([row, checkedBoxes]) => ({ ...row, ...checkedBoxes }));
}

function visitCells(): fc.Arbitrary<Cells> {
  return fc.record({
    visit_date: fc.constantFrom('', '2026-02-28', '1999-12-31'),
    weight: fc.constantFrom('', '70', '-1.5', '0.25'),
    remark: TEXT,
    visit_complete: fc.constantFrom('0', '2'),
  });
}

/** The rows of one record at one event: the base row and its visits. */
function rowsAt(design: Design, event: Cells): fc.Arbitrary<Cells[]> {
  const visits = fc.array(visitCells(), { maxLength: design.isRepeating ? 4 : 1 });
  return fc.tuple(baseCells(design), visits).map(([base, [first, ...others]]) => {
    if (!design.isRepeating) return [{ ...event, ...base, ...first }];
    const repeats = [...(first === undefined ? [] : [first]), ...others].map((visit, at) => ({
      ...event,
      redcap_repeat_instrument: 'visit',
      redcap_repeat_instance: String(at + 1),
      ...visit,
    }));
    return [{ ...event, ...base }, ...repeats];
  });
}

/** A random study with random rows. */
export const STUDY: fc.Arbitrary<Study> = DESIGN.chain((design) => {
  const events: readonly Cells[] =
    design.events.length === 0 ? [{}] : design.events.map((redcap_event_name) => ({ redcap_event_name }));
  const record = fc.tuple(...events.map((event) => rowsAt(design, event))).map((rows) => rows.flat());
  return fc.array(record, { minLength: 1, maxLength: 9 }).map((records) =>
    toStudy(
      design,
      records.flatMap((rows, at) => rows.map((row) => ({ record_id: id(at), ...row }))),
    ),
  );
});

function toStudy({ events, isRepeating, missingDataCodes }: Design, rows: readonly Cells[]): Study {
  const study = createDemoStudy({ participants: 0 });
  const places = events.length === 0 ? [''] : events;
  return {
    ...study,
    project: { ...study.project, missingDataCodes },
    fields: FIELDS,
    instruments: ['base', 'visit'].map((name) => ({ name, label: name })),
    arms: events.length === 0 ? [] : [{ number: 1, name: 'Arm 1' }],
    events: events.map((uniqueName) => ({ label: uniqueName, arm: 1, uniqueName })),
    mappings: events.flatMap((event) => ['base', 'visit'].map((instrument) => ({ event, instrument }))),
    repeating: isRepeating ? places.map((event) => ({ event, instrument: 'visit', customLabel: '' })) : [],
    rows,
  };
}
