import fc from 'fast-check';
import { checkboxColumnName } from '../../../../../src/domain/dictionary/export-column.js';
import { BLANK_FIELD, type Field } from '../../../../../src/domain/dictionary/field.js';
import { DEMO_USERS } from '../../../../../src/sandbox/demo-study/demo-study.js';
import { RIGHT_NAMES, rightsOf } from '../../../../../src/sandbox/redcap/rights.js';
import type {
  Study,
  StudyEvent,
  StudyGroup,
  StudyReport,
  StudyRole,
} from '../../../../../src/sandbox/redcap/study.js';
import { uniqueEventName, uniqueGroupName } from '../../../../../src/sandbox/redcap/unique-names.js';

type Row = Record<string, string>;

/** Texts that are awkward in XML, without the characters that XML cannot represent. */
const TEXT = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom(
    'a\nb',
    '\r\n',
    '\t',
    ' a ',
    '<b>&amp;</b>',
    ']]>',
    '"\'',
    '&#10;',
    'ü€😀',
    '<',
    '>',
    '<!-- -->',
  ),
);

const LABEL = TEXT.map((text) => text.trim() || 'Label');

const INSTRUMENTS = ['base', 'visit', 'diary'] as const;

const TYPES: readonly (readonly [type: string, validationType: string])[] = [
  ['text', ''],
  ['text', 'integer'],
  ['text', 'number'],
  ['text', 'date_mdy'],
  ['text', 'number_1dp_comma_decimal'],
  ['text', 'mrn_8d'],
  ['notes', ''],
  ['radio', ''],
  ['dropdown', 'autocomplete'],
  ['checkbox', ''],
  ['yesno', ''],
  ['truefalse', ''],
  ['calc', ''],
  ['slider', 'number'],
  ['file', ''],
  ['file', 'signature'],
  ['descriptive', ''],
  ['sql', ''],
];

const FILE_NAME = 'a <b> "c".bin';

const CHOICES = 'A, First | -2, Second, or so | c.3, "Third" <i>';

function choicesOf(type: string, text: string): string {
  if (['radio', 'dropdown', 'checkbox'].includes(type)) return CHOICES;
  if (type === 'calc') return '1 + 1';
  if (type === 'slider') return 'none | some | much';
  return type === 'sql' ? `select '${text.trim()}'` : '';
}

const FIELD: fc.Arbitrary<Omit<Field, 'name' | 'instrument'>> = fc
  .record({
    kind: fc.constantFrom(...TYPES),
    label: LABEL,
    text: TEXT,
    isIdentifier: fc.boolean(),
    isRequired: fc.boolean(),
    alignment: fc.constantFrom('', 'LH', 'RV'),
    matrixGroup: fc.constantFrom('', 'm1'),
    validationMin: fc.constantFrom('', '0', 'today'),
    validationMax: fc.constantFrom('', '9'),
    sectionHeader: fc.constantFrom('', '', 'Part "one" <b>'),
  })
  .map(({ kind: [type, validationType], text, ...field }) => ({
    ...BLANK_FIELD,
    ...field,
    type,
    validationType,
    choicesOrCalculations: choicesOf(type, text),
    note: text,
    branchingLogic: text,
    annotation: text,
    questionNumber: text,
    isMatrixRanking: field.matrixGroup !== '' && field.isRequired,
  }));

const FIELDS: fc.Arbitrary<Field[]> = fc
  .tuple(...INSTRUMENTS.map(() => fc.array(FIELD, { minLength: 1, maxLength: 5 })))
  .map((lists) => [
    { ...BLANK_FIELD, name: 'record_id', instrument: 'base', label: 'Record ID' },
    ...lists.flatMap((fields, at) =>
      fields.map((field, index) => {
        const instrument = INSTRUMENTS[at] ?? 'base';
        return { ...field, name: `${instrument}_${index}`, instrument };
      }),
    ),
  ]);

interface Layout {
  readonly events: readonly StudyEvent[];
  readonly arms: Study['arms'];
  readonly mappings: Study['mappings'];
  readonly repeating: Study['repeating'];
}

const CLASSIC: fc.Arbitrary<Layout> = fc.subarray(['visit', 'diary']).map((repeating) => ({
  events: [],
  arms: [],
  mappings: [],
  repeating: repeating.map((instrument) => ({ event: '', instrument, customLabel: '[visit_0]' })),
}));

const LONGITUDINAL: fc.Arbitrary<Layout> = fc
  .array(
    fc.record({
      label: LABEL,
      arm: fc.integer({ min: 1, max: 2 }),
      customLabel: TEXT,
      dayOffset: fc.integer({ min: 0, max: 400 }),
      forms: fc.subarray([...INSTRUMENTS], { minLength: 1 }),
      repeats: fc.constantFrom('no', 'event', 'diary'),
    }),
    { minLength: 2, maxLength: 4 },
  )
  .map((drafts) => {
    const taken = new Set<string>();
    const sorted = drafts.toSorted((left, right) => left.arm - right.arm);
    const events = sorted.map(({ label, arm, customLabel, dayOffset }) => {
      const uniqueName = uniqueEventName(label, arm, taken);
      taken.add(uniqueName);
      return { label, arm, uniqueName, customLabel, dayOffset, offsetMin: 1, offsetMax: 2 };
    });
    const nameOf = (index: number): string => events[index]?.uniqueName ?? '';
    return {
      events,
      arms: [...new Set(events.map(({ arm }) => arm))].map((number) => ({
        number,
        name: `Arm <${number}>`,
      })),
      mappings: sorted.flatMap(({ forms }, index) =>
        forms.map((instrument) => ({ event: nameOf(index), instrument })),
      ),
      repeating: [
        ...sorted.flatMap(({ repeats }, index) =>
          repeats === 'event' ? [{ event: nameOf(index), instrument: '', customLabel: '' }] : [],
        ),
        ...sorted.flatMap(({ repeats, forms }, index) =>
          repeats === 'diary' && forms.includes('diary')
            ? [{ event: nameOf(index), instrument: 'diary', customLabel: '' }]
            : [],
        ),
      ],
    };
  });

const GROUPS: fc.Arbitrary<StudyGroup[]> = fc.array(LABEL, { maxLength: 3 }).map((names) => {
  const taken = new Set<string>();
  return names.map((name, index) => {
    const uniqueName = uniqueGroupName(name, taken);
    taken.add(uniqueName);
    return { name, uniqueName, id: index + 1 };
  });
});

const ROLES: fc.Arbitrary<StudyRole[]> = fc
  .array(
    fc.record({
      label: LABEL,
      granted: fc.subarray([...RIGHT_NAMES]),
      form: fc.constantFrom(128, 129, 130, 146),
    }),
    { maxLength: 2 },
  )
  .map((roles) =>
    roles.map(({ label, granted, form }, index) => ({
      uniqueName: `U-ROLE00000${index}`,
      label,
      rights: rightsOf(Object.fromEntries(granted.map((name) => [name, 1]))),
      formRights: {
        forms: Object.fromEntries(INSTRUMENTS.map((name) => [name, form])),
        formsExport: Object.fromEntries(INSTRUMENTS.map((name, at) => [name, at])),
      },
    })),
  );

function reportsOf(fields: readonly Field[]): fc.Arbitrary<StudyReport[]> {
  const names = fields.map(({ name }) => name);
  return fc
    .array(
      fc.record({
        title: LABEL,
        fields: fc.subarray(names),
        filterLogic: TEXT,
        isFilteredByRecord: fc.boolean(),
        filterEvents: fc.subarray(['one_arm_1', 'two_arm_1']),
        filterGroups: fc.subarray(['north', 'south']),
      }),
      { maxLength: 2 },
    )
    .map((reports) =>
      reports.map((report, index) => ({ ...report, id: index + 1, uniqueName: `R-REPORT000${index}` })),
    );
}

function valueOf({ type, validationType }: Field): fc.Arbitrary<string> {
  if (type === 'radio' || type === 'dropdown') return fc.constantFrom('A', '-2', 'c.3', '');
  if (type === 'yesno' || type === 'truefalse') return fc.constantFrom('0', '1', '');
  if (type === 'file') return fc.constantFrom(FILE_NAME, '');
  if (validationType === 'date_mdy') return fc.constantFrom('2026-02-28', '');
  if (type === 'slider' || validationType === 'integer') return fc.constantFrom('1', '70', '');
  // Values that the current rules accept or refuse: stored values are kept either way.
  return TEXT;
}

interface Contents {
  readonly fields: readonly Field[];
  readonly surveysEnabled: boolean;
}

/**
 * The cells of one instrument: fields, one cell per checkbox choice, and sometimes a time stamp and its form status.
 */
function cellsOf({ fields, surveysEnabled }: Contents, instrument: string): fc.Arbitrary<Row> {
  const own = fields.filter((field) => field.instrument === instrument && field.name !== 'record_id');
  const cells = own.flatMap((field): [string, fc.Arbitrary<string>][] => {
    if (field.type === 'descriptive') return [];
    if (field.type !== 'checkbox') return [[field.name, valueOf(field)]];
    return ['A', '-2', 'c.3'].map((code) => [
      checkboxColumnName(field.name, code),
      fc.constantFrom('0', '1', ''),
    ]);
  });
  return fc.record(
    {
      ...Object.fromEntries(cells),
      [`${instrument}_complete`]: fc.constantFrom('0', '1', '2'),
      ...(surveysEnabled &&
        instrument === 'base' && {
          base_timestamp: fc.constantFrom('', '2026-03-01 10:00:00', '[not completed]'),
        }),
    },
    { requiredKeys: [] },
  );
}

/** The rows of one record: a base row or repeats at each event, and the instances of the repeating instruments. */
function rowsOf(contents: Contents, layout: Layout, id: string): fc.Arbitrary<Row[]> {
  const events = layout.events.length === 0 ? [''] : layout.events.map(({ uniqueName }) => uniqueName);
  const at = events.map((event) => {
    const place: Row = { record_id: id, ...(event !== '' && { redcap_event_name: event }) };
    const forms = INSTRUMENTS.filter(
      (name) => event === '' || layout.mappings.some((m) => m.event === event && m.instrument === name),
    );
    const repeating = layout.repeating.filter((each) => each.event === event);
    const single = forms.filter((name) => !repeating.some(({ instrument }) => instrument === name));
    const base = fc
      .tuple(...single.map((name) => cellsOf(contents, name)))
      .map((cells): Row => Object.assign({}, place, ...cells) as Row);
    const isRepeatingEvent = repeating.some(({ instrument }) => instrument === '');
    const bases = isRepeatingEvent
      ? fc
          .array(base, { maxLength: 2 })
          .map((rows) =>
            rows.map((row, index) => ({ ...row, redcap_repeat_instance: String(index * 2 + 1) })),
          )
      : fc.array(base, { maxLength: 1 });
    const instances = repeating
      .filter(({ instrument }) => instrument !== '')
      .map(({ instrument }) =>
        fc.array(cellsOf(contents, instrument), { maxLength: 2 }).map((rows) =>
          rows.map((row, index) => ({
            ...place,
            redcap_repeat_instrument: instrument,
            redcap_repeat_instance: String(index + 2),
            ...row,
          })),
        ),
      );
    return fc.tuple(bases, ...instances).map((lists) => lists.flat());
  });
  return fc.tuple(...at).map((lists) => lists.flat());
}

/** A random project with everything that a project XML can describe. */
export const ODM_PROJECT: fc.Arbitrary<Study> = fc
  .tuple(FIELDS, fc.oneof(CLASSIC, LONGITUDINAL), GROUPS, ROLES, fc.boolean(), LABEL, TEXT)
  .chain(([fields, layout, groups, roles, surveysEnabled, title, notes]) =>
    fc
      .tuple(
        fc.tuple(
          ...['1', 'A-2', ' <3> "é"'.trim()].map((id) => rowsOf({ fields, surveysEnabled }, layout, id)),
        ),
        fc.array(fc.constantFrom('', ...groups.map(({ uniqueName }) => uniqueName)), {
          minLength: 3,
          maxLength: 3,
        }),
        reportsOf(fields),
        fc.constantFrom('', 'P <1>'),
      )
      .map(([records, groupOf, reports, identifier]): Study => ({
        project: {
          title,
          notes,
          purpose: 2,
          piFirstName: '',
          piLastName: '',
          surveysEnabled,
          missingDataCodes: 'UNK, Unknown | -9, Not asked',
          creationTime: '2026-01-01 00:00:00',
          settings: { record_autonumbering_enabled: 0, custom_record_label: notes },
        },
        fields,
        instruments: INSTRUMENTS.map((name) => ({ name, label: `The ${name} & "more"` })),
        ...layout,
        groups,
        roles,
        surveys: surveysEnabled ? [{ instrument: 'base', title: notes, hasReturnCodes: true }] : [],
        reports,
        users: DEMO_USERS,
        hasStoredCalculations: true,
        rows: records.flatMap((rows, at) =>
          rows.map((row) => ({
            ...row,
            ...(groupOf[at] !== '' && { redcap_data_access_group: groupOf[at] ?? '' }),
            ...(surveysEnabled && identifier !== '' && { redcap_survey_identifier: identifier }),
          })),
        ),
        files: filesOf(fields, layout),
      })),
  );

/** The file of the first record's first file field, if its form appears once. */
function filesOf(fields: readonly Field[], { events }: Layout): Study['files'] {
  const field = fields.find(({ type, instrument }) => type === 'file' && instrument === 'base');
  if (field === undefined || events.length > 0) return [];
  const bytes = Buffer.from([0, 255, 13, 10, 60]);
  const place = { record: '1', event: '', instrument: '', instance: 0, field: field.name };
  return [{ ...place, name: FILE_NAME, type: 'application/octet-stream', bytes }];
}
