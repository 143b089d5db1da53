import { BLANK_FIELD, type Field } from '../../../domain/dictionary/field.js';
import { type FormRights, RIGHT_NAMES, type RightName, rightsOf } from '../rights.js';
import type { StudyProject, StudyRole } from '../study.js';
import type { XmlAttributes } from '../../../wire/xml.js';

/** Field types and text validations that have another name in project XML. @see docs/protocol/redcap.md 8.2 (client) */
const ODM_WORDS: ReadonlyMap<string, string> = new Map([
  ['notes', 'textarea'],
  ['dropdown', 'select'],
  ['integer', 'int'],
  ['number', 'float'],
]);
const API_WORDS: ReadonlyMap<string, string> = new Map([...ODM_WORDS].map(([api, odm]) => [odm, api]));

/** Returns the name of a field type or a text validation in project XML. */
export const odmWord = (type: string): string => ODM_WORDS.get(type) ?? type;
/** Returns the name of a field type or a text validation in the API. */
export const apiWord = (type: string): string => API_WORDS.get(type) ?? type;

/** Attributes of an item, without their prefix, and the properties of a field that they hold, in REDCap's order. */
const FIELD_ATTRIBUTES = [
  ['FieldNote', 'note'],
  ['SliderLabels', 'choicesOrCalculations', 'slider'],
  ['SectionHeader', 'sectionHeader'],
  // The query of a `sql` field is written like a formula (choice).
  ['Calculation', 'choicesOrCalculations', 'calc', 'sql'],
  ['Identifier', 'isIdentifier'],
  ['BranchingLogic', 'branchingLogic'],
  ['RequiredField', 'isRequired'],
  ['CustomAlignment', 'alignment'],
  ['QuestionNumber', 'questionNumber'],
  ['MatrixGroupName', 'matrixGroup'],
  ['MatrixRanking', 'isMatrixRanking'],
  ['FieldAnnotation', 'annotation'],
] as const satisfies readonly (readonly [attribute: string, property: keyof Field, ...types: string[]])[];

/** Returns the attributes of a field's item. Properties that are not set get none. */
export function fieldAttributes(field: Field): Record<string, string | undefined> {
  return Object.fromEntries(
    FIELD_ATTRIBUTES.map(([attribute, property, ...types]) => {
      const value = field[property] === true ? 'y' : field[property] || undefined;
      const isWritten = types.length === 0 || (types as string[]).includes(field.type);
      return [`redcap:${attribute}`, isWritten ? value : undefined];
    }),
  );
}

/** Reads the properties that `fieldAttributes` writes, but for choices and formulas. */
export function readFieldAttributes(attributes: XmlAttributes): Partial<Field> {
  return Object.fromEntries(
    FIELD_ATTRIBUTES.filter(([, , ...types]) => types.length === 0).map(([attribute, property]) => {
      const text = attributes.get(`redcap:${attribute}`) ?? '';
      return [property, typeof BLANK_FIELD[property] === 'boolean' ? text === 'y' : text];
    }),
  );
}

/** Returns the ODM data type of a field. @see docs/protocol/redcap.md 9.8 (client) */
export function odmDataType(type: string, validation: string): string {
  if (['checkbox', 'yesno', 'truefalse'].includes(type)) return 'boolean';
  if (type === 'calc') return 'float';
  if (type === 'slider') return 'integer';
  if (type !== 'text') return 'text';
  return DATA_TYPES.find(([pattern]) => pattern.test(validation))?.[1] ?? 'text';
}

const DATA_TYPES: readonly (readonly [RegExp, string])[] = [
  [/^date_/, 'date'],
  [/^datetime_seconds_/, 'datetime'],
  [/^datetime_/, 'partialDatetime'],
  [/^time$/, 'partialTime'],
  [/^integer$/, 'integer'],
  [/^number(_\ddp)?$/, 'float'],
];

/** Rights that have another name in project XML than in the API. @see docs/protocol/redcap.md 9.8 (client) */
const OTHER_NAMES: Readonly<Partial<Record<RightName, string>>> = {
  stats_and_charts: 'graphical',
  manage_survey_participants: 'participants',
  logging: 'data_logging',
  data_quality_create: 'data_quality_design',
  lock_records: 'lock_record',
  lock_records_all_forms: 'lock_record_multiform',
  lock_records_customization: 'lock_record_customize',
};

const nameOf = (right: RightName): string => OTHER_NAMES[right] ?? right;

/** Returns the attributes of a role in project XML. @see docs/protocol/redcap.md 9.8 (client) */
export function roleAttributes(role: StudyRole, formRights: FormRights): Record<string, string> {
  return {
    role_name: role.label,
    unique_role_name: role.uniqueName,
    ...role.others,
    ...Object.fromEntries(RIGHT_NAMES.map((right) => [nameOf(right), String(role.rights[right])])),
    data_export_tool: '',
    data_export_instruments: writeByForm(formRights.formsExport),
    data_entry: writeByForm(formRights.forms),
  };
}

/**
 * Reads a role from its attributes in project XML. Attributes that the sandbox does not use are kept in `others`.
 *
 * @param instruments unique names, used for files of older versions, in which a role has one export right for all
 * instruments
 */
export function readRole(attributes: XmlAttributes, instruments: readonly string[]): StudyRole {
  const own = new Set([...RIGHT_NAMES.map(nameOf), ...FORM_ATTRIBUTES]);
  const given = RIGHT_NAMES.map((right): [RightName, number] => [
    right,
    Number(attributes.get(nameOf(right)) ?? 0) || 0,
  ]);
  const byForm = attributes.get('data_export_instruments');
  const forAll = Number(attributes.get('data_export_tool') ?? 0);
  return {
    uniqueName: attributes.get('unique_role_name') ?? '',
    label: attributes.get('role_name') ?? '',
    rights: rightsOf(Object.fromEntries(given)),
    formRights: {
      forms: readByForm(attributes.get('data_entry')),
      formsExport:
        byForm === undefined
          ? Object.fromEntries(instruments.map((name) => [name, forAll]))
          : readByForm(byForm),
    },
    others: Object.fromEntries([...attributes].filter(([name]) => !own.has(name))),
  };
}

const FORM_ATTRIBUTES = [
  'role_name',
  'unique_role_name',
  'data_export_tool',
  'data_export_instruments',
  'data_entry',
];

/** Writes rights by form: `[demographics,1][health,0]`. */
function writeByForm(rights: Readonly<Record<string, number>>): string {
  return Object.entries(rights)
    .map(([form, right]) => `[${form},${right}]`)
    .join('');
}

function readByForm(text = ''): Record<string, number> {
  const pairs = [...text.matchAll(/\[([a-z0-9_]+),(\d+)\]/g)];
  return Object.fromEntries(pairs.map(([, form = '', right]) => [form, Number(right)]));
}

/** An element for a project setting: `<redcap:RecordAutonumberingEnabled>`. */
interface SettingElement {
  readonly element: string;
  /** The name of the setting in the API; blank if it has none, or if `StudyProject` has a property for it. */
  readonly setting: string;
  /** Whether the sandbox's project model contains the setting, so that changes of the project are exported. */
  readonly isOwn: boolean;
  readonly read: (project: StudyProject) => string;
}

/**
 * The settings in the order in which REDCap writes them, with the defaults seen in its files.
 *
 * @see docs/protocol/redcap.md 9.8 (client)
 */
export const SETTING_ELEMENTS: readonly SettingElement[] = [
  api('RecordAutonumberingEnabled', 'record_autonumbering_enabled', '1'),
  api('CustomRecordLabel', 'custom_record_label'),
  api('SecondaryUniqueField', 'secondary_unique_field'),
  unknown('SecondaryUniqueFieldDisplayValue', '1'),
  unknown('SecondaryUniqueFieldDisplayLabel', '1'),
  api('SchedulingEnabled', 'scheduling_enabled', '0'),
  own('SurveysEnabled', ({ surveysEnabled }) => (surveysEnabled ? '1' : '0')),
  unknown('SurveyInvitationEmailField', ''),
  api('RandomizationEnabled', 'randomization_enabled', '0'),
  api('DisplayTodayNowButton', 'display_today_now_button', '1'),
  api('PreventBranchingEraseValues', 'bypass_branching_erase_field_prompt', '0'),
  unknown('RequireChangeReason', '0'),
  unknown('DataHistoryPopup', '1'),
  unknown('OrderRecordsByField', ''),
  unknown('taskCompleteStatus', '0'),
  unknown('MyCapEnabled', '0'),
  own('Purpose', ({ purpose }) => String(purpose)),
  api('PurposeOther', 'purpose_other'),
  own('ProjectNotes', ({ notes }) => notes),
  own('MissingDataCodes', ({ missingDataCodes }) => missingDataCodes),
];

function api(element: string, setting: string, standard = ''): SettingElement {
  return { element, setting, isOwn: true, read: ({ settings }) => String(settings?.[setting] ?? standard) };
}

function own(element: string, read: (project: StudyProject) => string): SettingElement {
  return { element, setting: '', isOwn: true, read };
}

/** Settings that the sandbox does not use are exported unchanged. */
function unknown(element: string, standard: string): SettingElement {
  return { element, setting: '', isOwn: false, read: ({ others }) => others?.[element] ?? standard };
}
