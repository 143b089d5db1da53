import type { ValidateError } from '@tsoa/runtime';
import type { FieldProblem } from '../domain/errors/field-problem.js';

/**
 * Converts the validation errors of tsoa to field problems. tsoa keeps the refused value in `fields[…].value` and, for
 * unions, repeats it in the message. Neither is passed on (IN-07).
 */
export function toFieldProblems({ fields }: ValidateError): FieldProblem[] {
  return Object.entries(fields).map(([field, { message }]) => ({
    field: fieldForPeople(field),
    message: rule(message),
  }));
}

/**
 * Converts tsoa's names, such as `query.fields.$1` and `requestBody.email`, to those the caller used: `fields[1]` and
 * `email`.
 */
function fieldForPeople(field: string): string {
  return field.replace(/^(query|requestBody|body)\./, '').replace(/\.\$(\d+)/g, '[$1]');
}

/** Passes on only messages that are known to contain no value. */
function rule(message: string): string {
  // Written beside the pattern of the parameter.
  if (message.startsWith('must ')) return message;
  const choices = choicesIn(message);
  if (choices.length > 0) return `must be ${choices.length === 1 ? '' : 'one of '}${choices.join(', ')}`;
  if (message.startsWith('Could not match')) return 'is not of an allowed type';
  if (/^"[^"]*" is an excess property/.test(message)) return 'is not a property of this body';
  if (/is required$/.test(message)) return 'is required';
  const [known] =
    /^(invalid (?:string|integer|float|boolean|array|object)[a-z ]*|min(?:Length|Items|imum)? \d+|max(?:Length|Items|imum)? \d+)/.exec(
      message,
    ) ?? [];
  return known === undefined
    ? 'is not valid'
    : (PLAIN.get(known) ?? known.replace(/^(min|max)(\w*) (\d+)$/, limit));
}

/** Returns the values that an enumeration allows, according to the message about a wrong value. */
function choicesIn(message: string): string[] {
  if (message.startsWith(UNION)) return unionMessages(message.slice(UNION.length)).flatMap(choicesIn);
  const [, list = ''] = /^should be one of the following; \[(.*)\]$/.exec(message) ?? [];
  // A choice of letters needs no quotes; a comma among choices does.
  return (list.match(/'[^']*'|[^',]+/g) ?? []).map((choice) => choice.replace(/^'(\w+)'$/, '$1'));
}

/** @param issues the JSON that tsoa writes for a union: the problems with each of its members, with the refused value */
function unionMessages(issues: string): string[] {
  const members = JSON.parse(issues) as readonly Readonly<Record<string, { readonly message: string }>>[];
  return members.flatMap((problems) => Object.values(problems).map(({ message }) => message));
}

const UNION = 'Could not match the union against any of the items. Issues: ';

const PLAIN: ReadonlyMap<string, string> = new Map([
  ['invalid string value', 'must be a string'],
  ['invalid integer number', 'must be a whole number'],
  ['invalid float number', 'must be a number'],
  ['invalid boolean value', 'must be true or false'],
  ['invalid array', 'must be a list'],
  ['invalid object', 'must be an object'],
]);

function limit(_match: string, side: string, what: string, bound: string): string {
  const range = `at ${side === 'min' ? 'least' : 'most'} ${bound}`;
  if (what === '' || what === 'imum') return `must be ${range}`;
  const unit = what === 'Length' ? 'character' : 'item';
  return `must have ${range} ${unit}${bound === '1' ? '' : 's'}`;
}
