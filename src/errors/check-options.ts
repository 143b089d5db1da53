import { ConfigurationError } from './operator-errors.js';
import type { FieldProblem } from './field-problem.js';

/** The rule of one option. Its text completes a sentence that starts with the option's name. */
export interface OptionRule {
  readonly isRight: (value: unknown) => boolean;
  readonly rule: string;
  /** Whether the option may be omitted or undefined. */
  readonly isOptional: boolean;
}

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

/**
 * Checks options against their rules. TypeScript checks them too, but a host that is written in JavaScript or reads its
 * options from a file would get a `TypeError`, or an option that silently has no effect.
 *
 * @param group the prefix of the option names, such as `access` for `access.apiKeys`
 * @returns the errors, with the names of the options but never their values
 */
export function optionProblems(
  options: unknown,
  rules: Readonly<Record<string, OptionRule>>,
  group = '',
): FieldProblem[] {
  if (!isObject(options)) return [{ field: group || 'options', message: 'must be an object' }];
  return Object.entries(rules).flatMap(([name, { isRight, rule, isOptional }]) => {
    const value = options[name];
    if (isOptional && value === undefined) return [];
    return isRight(value) ? [] : [{ field: group ? `${group}.${name}` : name, message: rule }];
  });
}

/** Checks a group of options that may be omitted as a whole. */
export function optionalGroupProblems(
  ...[options, rules, group]: Parameters<typeof optionProblems>
): FieldProblem[] {
  return options === undefined ? [] : optionProblems(options, rules, group);
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
