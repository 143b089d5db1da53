import * as z from 'zod';
import { InvalidRequestError, MalformedRequestError } from '../errors/caller-errors.js';
import type { FieldProblem } from '../errors/field-problem.js';
import { isFieldName, isInstrumentName } from '../identifiers/names.js';
import { BLANK_FIELD, type Field } from './field.js';

/** Every property of a field has the type that it has in a blank one. */
const properties = Object.fromEntries(
  Object.entries(BLANK_FIELD).map(([name, blank]) => [
    name,
    typeof blank === 'string' ? z.string().optional() : z.boolean().optional(),
  ]),
);

const FieldObject = z.strictObject({
  ...properties,
  name: z.string().refine(isFieldName, 'must be a field name'),
  instrument: z.string().refine(isInstrumentName, 'must be the unique name of an instrument'),
  type: z.string().regex(/^[a-z]+$/, 'must be a field type'),
});

const Fields = z.strictObject({ data: z.array(z.unknown()).min(1, 'must not be empty') });

/** The number of problems after which no field is checked. */
const MAX_PROBLEMS = 100;

/**
 * Parses a data dictionary from `{ "data": [ … ] }`, with the properties of a field in the API. Omitted ones are
 * blank; `name`, `instrument` and `type` are required.
 *
 * @throws {MalformedRequestError} the text is not JSON, or has more than 100,000 objects
 * @throws {InvalidRequestError} naming the property and the rule, never a value
 */
export function fieldsFromJson(text: string): Field[] {
  refuseManyObjects(text);
  const { data, error } = Fields.safeParse(parse(text));
  if (data === undefined) throw new InvalidRequestError(error.issues.map(toProblem([])));
  const fields: z.infer<typeof FieldObject>[] = [];
  const problems: FieldProblem[] = [];
  for (const [index, value] of data.data.entries()) {
    const field = FieldObject.safeParse(value);
    if (field.success) fields.push(field.data);
    else problems.push(...field.error.issues.map(toProblem(['fields', index])));
    if (problems.length >= MAX_PROBLEMS) break;
  }
  if (problems.length > 0) throw new InvalidRequestError(problems);
  refuseRepeatedNames(fields);
  return fields.map((field) => ({ ...BLANK_FIELD, ...field }));
}

const MAX_OBJECTS = 100_000;

/** Far more than the properties of a field. */
const MAX_VALUES = 100;

/** Checks the text before it is parsed: an empty object has two characters, and takes thirty times the memory. */
function refuseManyObjects(text: string): void {
  let objects = 0;
  let values = 0;
  let isInString = false;
  for (let index = 0; index < text.length && values <= MAX_VALUES; index += 1) {
    const character = text[index];
    if (character === '"') isInString = !isInString;
    else if (isInString) index += character === '\\' ? 1 : 0;
    else if (character === ',') values += 1;
    else if (character === '{' || character === '[' || character === '}' || character === ']') {
      values = 0;
      if (character === '{' || character === '[') objects += 1;
    }
  }
  if (values > MAX_VALUES)
    throw new MalformedRequestError(`The body has more than ${MAX_VALUES} values that are no fields.`);
  if (objects > MAX_OBJECTS)
    throw new MalformedRequestError(`The body has more than ${MAX_OBJECTS} objects and lists.`);
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

function toProblem(parents: readonly PropertyKey[]): (issue: z.core.$ZodIssue) => FieldProblem {
  return (issue) => ({ field: pathOf([...parents, ...issue.path]), message: ruleOf(issue) });
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
