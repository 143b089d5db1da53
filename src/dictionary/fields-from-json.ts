import * as z from 'zod';
import { InvalidRequestError, MalformedRequestError } from '../errors/caller-errors.js';
import { isFieldName } from '../identifiers/field-name.js';
import { isInstrumentName } from '../identifiers/instrument-name.js';
import { BLANK_FIELD, type Field } from './field.js';

const anyText = z.string().optional();
const flag = z.boolean().optional();

const FieldObject = z.strictObject({
  name: z.string().refine(isFieldName, 'must be a field name'),
  instrument: z.string().refine(isInstrumentName, 'must be the unique name of an instrument'),
  type: z.string().regex(/^[a-z]+$/, 'must be a field type'),
  sectionHeader: anyText,
  label: anyText,
  choicesOrCalculations: anyText,
  note: anyText,
  validationType: anyText,
  validationMin: anyText,
  validationMax: anyText,
  isIdentifier: flag,
  branchingLogic: anyText,
  isRequired: flag,
  alignment: anyText,
  questionNumber: anyText,
  matrixGroup: anyText,
  isMatrixRanking: flag,
  annotation: anyText,
});

const Fields = z.strictObject({ fields: z.array(FieldObject).min(1, 'must not be empty') });

/**
 * Parses a data dictionary from `{ "fields": [ … ] }`, with the properties of a field in the API. Omitted ones are
 * blank; `name`, `instrument` and `type` are required.
 *
 * @throws {MalformedRequestError} the text is not JSON
 * @throws {InvalidRequestError} naming the property and the rule, never a value
 */
export function fieldsFromJson(text: string): Field[] {
  const { data, error } = Fields.safeParse(parse(text));
  if (data === undefined) {
    throw new InvalidRequestError(
      error.issues.slice(0, 100).map((issue) => ({ field: pathOf(issue.path), message: ruleOf(issue) })),
    );
  }
  refuseRepeatedNames(data.fields);
  return data.fields.map((field) => ({ ...BLANK_FIELD, ...field }) as Field);
}

/** Refuses repeated field names. @see docs/protocol/redcap.md 2.4 (issue) */
function refuseRepeatedNames(fields: readonly { readonly name: string }[]): void {
  const names = new Set<string>();
  const problems = fields.flatMap(({ name }, index) =>
    names.size === names.add(name).size
      ? [{ field: `fields[${index}].name`, message: 'must not be that of an earlier field' }]
      : [],
  );
  if (problems.length > 0) throw new InvalidRequestError(problems);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new MalformedRequestError('The body is not valid JSON.', { cause });
  }
}

/** Returns a path such as `fields[3].name`. The schema is strict, so a path contains only known names, never values. */
function pathOf(path: readonly PropertyKey[]): string {
  const written = path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .slice(1);
  return written === '' ? 'body' : written;
}

const TYPES: Readonly<Record<string, string>> = { array: 'a list', object: 'an object' };

function ruleOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return 'has a property that is not one of a field';
  if (issue.code === 'invalid_type') return `must be ${TYPES[issue.expected] ?? `a ${issue.expected}`}`;
  return issue.message;
}
