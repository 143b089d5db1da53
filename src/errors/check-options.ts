import { ConfigurationError } from './operator-errors.js';
import type { FieldProblem } from './field-problem.js';
import { nearestName } from './nearest-name.js';

/** The rule of one option. Its text completes a sentence that starts with the option's name. */
export interface OptionRule {
  readonly isRight: (value: unknown) => boolean;
  readonly rule: string;
  /** Whether the option may be omitted or undefined. */
  readonly isOptional: boolean;
  /** The rules of the options in it, if it is a group, or of the options in each of its items, if it is a list. */
  readonly within?: OptionRules;
}

/** The rule of every option. `satisfies OptionRules<keyof Options>` makes the compiler miss none. */
export type OptionRules<Name extends PropertyKey = string> = Readonly<Record<Name, OptionRule>>;

export const required = (isRight: OptionRule['isRight'], rule: string): OptionRule => ({
  isRight,
  rule,
  isOptional: false,
});

export const optional = (isRight: OptionRule['isRight'], rule: string): OptionRule => ({
  isRight,
  rule,
  isOptional: true,
});

/** Rules that many options share. */
export const aBoolean = optional((value) => typeof value === 'boolean', 'must be true or false');
export const aFunction = optional((value) => typeof value === 'function', 'must be a function');

/** An option that is checked where it is used. */
export const checkedLater = optional(() => true, '');

/** A group of options. */
export const aGroup = (within: OptionRules): OptionRule => ({
  ...optional(isObject, 'must be an object'),
  within,
});

/** A list of groups of options. */
export const aListOf = (within: OptionRules, rule: string): OptionRule => ({
  ...optional(Array.isArray, rule),
  within,
});

/** One of a few texts. */
export const oneOf = (...texts: readonly string[]): OptionRule =>
  optional(
    (value) => texts.includes(value as string),
    `must be ${texts.slice(0, -1).join(', ')} or ${texts.at(-1)}`,
  );

/** A number of at least `least`, by default a whole number. */
export function aNumber(least: number, { isWhole = true } = {}): OptionRule {
  const kind = isWhole ? Number.isInteger : Number.isFinite;
  return optional(
    (value) => kind(value) && (value as number) >= least,
    `must be a ${isWhole ? 'whole ' : ''}number of at least ${least}`,
  );
}

/** A time in whole milliseconds, which a timer of Node must be able to wait for: it ends a longer one at once. */
export function aTime(least: number): OptionRule {
  return optional(
    (value) => Number.isInteger(value) && (value as number) >= least && (value as number) <= LONGEST_TIMER_MS,
    `must be a whole number from ${least} to ${LONGEST_TIMER_MS}`,
  );
}

/** Nearly 25 days. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** Returns options with their defaults. One that is undefined has its default, like one that is omitted. */
export function withDefaults<Options extends object>(
  defaults: Options,
  given: { readonly [Name in keyof Options]?: Options[Name] | undefined } = {},
): Options {
  const known = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...defaults, ...Object.fromEntries(known) };
}

/** Whether a value is an object with at least these methods. */
export function hasMethods(value: unknown, ...names: readonly string[]): boolean {
  return isObject(value) && names.every((name) => typeof value[name] === 'function');
}

/** Whether a value is an object that has at least these methods and objects. */
export function hasParts(value: unknown, ...names: readonly string[]): boolean {
  if (!isObject(value)) return false;
  return names.every((name) => typeof value[name] === 'function' || isPart(value[name]));
}

const isPart = (value: unknown): boolean => typeof value === 'object' && value !== null;

/**
 * Checks options against their rules. TypeScript checks them too, but a host that is written in JavaScript or reads its
 * options from a file would get a `TypeError`, or an option that silently has no effect. So one without a rule is
 * refused.
 *
 * @param group the prefix of the option names, such as `access` for `access.apiKeys`
 * @param word what an error calls one
 * @returns the errors, with the names of the options but never their values
 */
export function optionProblems(
  options: unknown,
  rules: OptionRules,
  group = '',
  word: 'option' | 'property' = 'option',
): FieldProblem[] {
  if (!isObject(options)) return [{ field: group || 'options', message: 'must be an object' }];
  const prefix = group && `${group}.`;
  const problems: FieldProblem[] = [];
  for (const name of Object.keys(options)) {
    if (!Object.hasOwn(rules, name)) problems.push(unknownOption(name, rules, prefix, word));
  }
  // Runs for every call of the client, so it makes nothing for an option that is right.
  for (const name of Object.keys(rules)) {
    const rule = rules[name];
    const value = options[name];
    if (rule === undefined || (value === undefined && rule.isOptional)) continue;
    if (!rule.isRight(value)) problems.push({ field: `${prefix}${name}`, message: rule.rule });
    else if (rule.within !== undefined)
      problems.push(...problemsWithin(value, rule.within, `${prefix}${name}`));
  }
  return problems;
}

/** Returns the errors of the options in a group, or in each item of a list. */
function problemsWithin(value: unknown, rules: OptionRules, field: string): FieldProblem[] {
  if (!Array.isArray(value)) return optionProblems(value, rules, field);
  return value.flatMap((item: unknown, index) => optionProblems(item, rules, `${field}[${index}]`));
}

/** Returns the error of an option without a rule, with the name that was most likely meant. */
function unknownOption(name: string, rules: OptionRules, prefix: string, word: string): FieldProblem {
  const meant = nearestName(name, Object.keys(rules));
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
  const article = word === 'option' ? 'an' : 'a';
  return { field: `${prefix}${name}`, message: `is not ${article} ${word}${hint}` };
}

/** Throws if there are problems. @throws {ConfigurationError} with all problems */
export function refuseProblems(problems: readonly FieldProblem[]): void {
  if (problems.length > 0) throw new ConfigurationError(problems);
}

/**
 * Parses a part of a configuration with a parser that throws, so that several errors can be reported together.
 *
 * @param problems receives the errors of a `ConfigurationError`
 * @returns undefined if there was an error
 */
export function attempt<T>(read: () => T, problems: FieldProblem[]): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    problems.push(...error.errors);
    return undefined;
  }
}

/** Returns a function that tells whether a parser accepts a value. */
export function isAccepted(parse: (value: never) => unknown): (value: unknown) => boolean {
  return (value) => {
    try {
      parse(value as never); // a parser of texts also refuses other values
      return true;
    } catch {
      return false;
    }
  };
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
