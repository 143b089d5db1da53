/**
 * Field types that have another name in project XML than in the API.
 *
 * @see docs/protocol/redcap.md 8.2 (client)
 */
const FIELD_TYPES: readonly (readonly [api: string, odm: string])[] = [
  ['notes', 'textarea'],
  ['dropdown', 'select'],
];

/** Text validations that have another name in project XML. @see docs/protocol/redcap.md 8.2 (client) */
const VALIDATIONS: readonly (readonly [api: string, odm: string])[] = [
  ['integer', 'int'],
  ['number', 'float'],
];

const toOdm = (words: readonly (readonly [string, string])[]): ReadonlyMap<string, string> => new Map(words);
const fromOdm = (words: readonly (readonly [string, string])[]): ReadonlyMap<string, string> =>
  new Map(words.map(([api, odm]) => [odm, api]));

const ODM_TYPES = toOdm(FIELD_TYPES);
const API_TYPES = fromOdm(FIELD_TYPES);
const ODM_VALIDATIONS = toOdm(VALIDATIONS);
const API_VALIDATIONS = fromOdm(VALIDATIONS);

/** Returns the field type in project XML. */
export const odmFieldType = (type: string): string => ODM_TYPES.get(type) ?? type;
/** Returns the field type in the API. */
export const apiFieldType = (type: string): string => API_TYPES.get(type) ?? type;
/** Returns the text validation in project XML. */
export const odmValidation = (type: string): string => ODM_VALIDATIONS.get(type) ?? type;
/** Returns the text validation in the API. */
export const apiValidation = (type: string): string => API_VALIDATIONS.get(type) ?? type;

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
