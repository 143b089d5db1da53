import fc from 'fast-check';
import { resolved, type Schema } from '../support/api-operations.js';

/** Values that exist in the study under test, so that requests pass the first checks. */
const KNOWN: readonly string[] = [
  'COHORT-2026-PARTICIPANT-0001',
  'COHORT-2026-PARTICIPANT-0002',
  'record_id',
  'age',
  'first_name',
  'consent_form',
  'demographics',
  'eligibility',
  'ada@example.org',
  '[age] > 40',
  '1',
  '2026-01-31',
];

/** A string of any characters, with those that are often mishandled. */
export const ANY_TEXT: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({
    unit: fc.constantFrom('[', ']', '"', "'", '<', '>', '&', '%', '\\', ',', ' ', '\n', '0', 'a'),
    maxLength: 30,
  }),
  fc.constantFrom(
    '',
    ' ',
    '__proto__',
    'constructor',
    'null',
    '-1',
    '1e309',
    '\u0000',
    '\ud800',
    '../..',
    '=1+1',
  ),
);

/** @returns values that a schema allows */
export function valid(schema: Schema, depth = 0): fc.Arbitrary<unknown> {
  const { type, enum: choices, anyOf, nullable = false, ...rest } = resolved(schema);
  if (nullable) return fc.option(valid({ ...resolved(schema), nullable: false }, depth), { freq: 6 });
  if (choices !== undefined) return fc.constantFrom(...choices);
  if (anyOf !== undefined) return fc.oneof(...anyOf.map((each) => valid(each, depth)));
  switch (type) {
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.oneof(
        fc.integer({ min: rest.minimum ?? -10, max: Math.min(rest.maximum ?? 1000, 2 ** 31 - 1) }),
        fc.constantFrom(rest.minimum ?? 0, Math.min(rest.maximum ?? 3, 2 ** 31 - 1)),
      );
    case 'number':
      return fc.double({ noNaN: true, min: rest.minimum ?? -1e6, max: rest.maximum ?? 1e6 });
    case 'array':
      return fc.array(valid(rest.items ?? {}, depth + 1), {
        minLength: rest.minItems ?? 0,
        maxLength: (rest.minItems ?? 0) + 3,
      });
    case 'object':
      return validObject(rest, depth);
    case 'string':
      return validText(rest);
    default:
      return depth > 2 ? fc.constant('x') : fc.jsonValue({ maxDepth: 2 });
  }
}

function validObject(
  { properties = {}, required = [], additionalProperties }: Schema,
  depth: number,
): fc.Arbitrary<unknown> {
  const known = fc.record(
    Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, valid(schema, depth + 1)])),
    { requiredKeys: [...required] },
  );
  if (typeof additionalProperties !== 'object') return known;
  const more = fc.dictionary(
    fc.constantFrom('record_id', 'age', 'first_name', 'demographics'),
    valid(additionalProperties, depth + 1),
    {
      maxKeys: 3,
    },
  );
  return fc.tuple(known, more).map(([one, other]) => ({ ...one, ...other }));
}

function validText({ pattern, minLength = 0, maxLength = 200 }: Schema): fc.Arbitrary<string> {
  const rule = pattern === undefined ? undefined : new RegExp(pattern, 'u');
  const fits = (text: string): boolean =>
    [...text].length >= minLength && [...text].length <= maxLength && (rule?.test(text) ?? true);
  const known = KNOWN.filter(fits);
  const others = (rule === undefined ? ANY_TEXT : matching(rule)).filter(fits);
  return known.length === 0
    ? others
    : fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...known) }, { weight: 1, arbitrary: others });
}

/** Values of the given format; for an unknown format any text, of which little will be valid. */
function matching(rule: RegExp): fc.Arbitrary<string> {
  try {
    return fc.stringMatching(rule);
  } catch {
    return fc.string({ minLength: 1, maxLength: 20 });
  }
}

/** @returns values that a schema forbids; nothing for a schema that forbids nothing */
export function invalid(schema: Schema): fc.Arbitrary<unknown> | undefined {
  const rule = resolved(schema);
  if (rule.anyOf !== undefined) return undefined;
  if (rule.enum !== undefined) return ANY_TEXT.filter((text) => !rule.enum?.includes(text));
  switch (rule.type) {
    case 'boolean':
      return fc.constantFrom('maybe', '2', 'truth');
    case 'integer':
      return fc.oneof(fc.constantFrom<unknown>('many', '1.5', '0x10', ''), ...outside(rule));
    case 'string':
      return invalidText(rule);
    case 'object':
      return invalidObject(rule);
    case 'array': {
      const item = invalid(rule.items ?? {});
      return item?.map((each) => [each]);
    }
    default:
      return undefined;
  }
}

function outside({ minimum, maximum }: Schema): fc.Arbitrary<unknown>[] {
  return [minimum === undefined ? [] : [minimum - 1], maximum === undefined ? [] : [maximum + 1]]
    .flat()
    .map((value) => fc.constant(value));
}

function invalidText({ pattern, minLength = 0, maxLength }: Schema): fc.Arbitrary<unknown> | undefined {
  const rule = pattern === undefined ? undefined : new RegExp(pattern, 'u');
  const ways = [
    ...(rule === undefined ? [] : [ANY_TEXT.filter((text) => text !== '' && !rule.test(text))]),
    ...(maxLength === undefined ? [] : [fc.constant('a'.repeat(maxLength + 1))]),
    ...(minLength > 1 ? [fc.constant('a')] : []),
  ];
  return ways.length === 0 ? undefined : fc.oneof(...ways);
}

function invalidObject({ properties = {}, required = [] }: Schema): fc.Arbitrary<unknown> | undefined {
  const sound = validObject({ properties, required }, 0) as fc.Arbitrary<Record<string, unknown>>;
  const without = required.map((name) =>
    sound.map((value) => Object.fromEntries(Object.entries(value).filter(([each]) => each !== name))),
  );
  const wrong = Object.entries(properties).flatMap(([name, schema]) => {
    const value = invalid(schema);
    return value === undefined
      ? []
      : [fc.tuple(sound, value).map(([whole, part]) => ({ ...whole, [name]: part }))];
  });
  const ways = [...without, ...wrong, fc.constantFrom<unknown>(null, [], 'text', 7)];
  return fc.oneof(...ways);
}
