import * as z from 'zod';
import { problemsOf, strictObject } from './check-arguments.js';
import { ConfigurationError } from './operator-errors.js';
import type { FieldProblem } from './field-problem.js';

/** The schema of every option. `satisfies OptionRules<keyof Options>` makes the compiler miss none. */
export type OptionRules<Name extends PropertyKey = string> = Readonly<Record<Name, z.ZodType>>;

/** @param rule completes a sentence that starts with the name of the option */
export const required = (isRight: (value: unknown) => boolean, rule: string) => z.custom(isRight, rule);

export const optional = (isRight: (value: unknown) => boolean, rule: string) =>
  required(isRight, rule).optional();

/** Options that many have. */
export const aBoolean = z.boolean('must be true or false').optional();
export const aFunction = optional((value) => typeof value === 'function', 'must be a function');

/** An option of which only the name is checked, because what it is given to has its rule. */
export const anyValue = z.unknown().optional();

/** A group of options. */
export const aGroup = (within: OptionRules) => strictObject(within, 'an option').optional();

/** A list of groups of options. */
export const aListOf = (within: OptionRules, rule: string) =>
  z.array(strictObject(within, 'an option'), rule).optional();

/** One of a few texts. */
export const oneOf = (...texts: readonly string[]) =>
  z.enum(texts, `must be ${texts.slice(0, -1).join(', ')} or ${texts.at(-1)}`).optional();

/** A number of at least `least`, by default a whole number. */
export function aNumber(least: number, { isWhole = true } = {}) {
  const rule = `must be a ${isWhole ? 'whole ' : ''}number of at least ${least}`;
  return (isWhole ? z.int(rule) : z.number(rule)).gte(least, rule).optional();
}

/** A time in whole milliseconds, which a timer of Node must be able to wait for: it ends a longer one at once. */
export function aTime(least: number) {
  const rule = `must be a whole number from ${least} to ${LONGEST_TIMER_MS}`;
  return z.int(rule).gte(least, rule).lte(LONGEST_TIMER_MS, rule).optional();
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
 * Checks options. TypeScript checks them too, but a host that is written in JavaScript or reads its options from a file
 * would get a `TypeError`, or an option that silently has no effect. So one that does not exist is refused.
 *
 * @returns the errors, with the names of the options but never their values
 */
export function optionProblems(options: unknown, rules: OptionRules): FieldProblem[] {
  const { error } = strictObject(rules, 'an option').safeParse(options);
  return problemsOf('options', error?.issues ?? []);
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
