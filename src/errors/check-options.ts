import { ConfigurationError } from './operator-errors.js';
import type { FieldProblem } from './field-problem.js';

/** What one option has to be; the rule is the end of a sentence that begins with the option's name. */
export interface OptionRule {
  readonly isRight: (value: unknown) => boolean;
  readonly rule: string;
  /** Whether it may be left out; `undefined` is the same as left out. */
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

/** A number of at least `least`; a whole one unless said otherwise. */
export function aNumber(least: number, { isWhole = true } = {}): OptionRule {
  const kind = isWhole ? Number.isInteger : Number.isFinite;
  return optional(
    (value) => kind(value) && (value as number) >= least,
    `must be a ${isWhole ? 'whole ' : ''}number of at least ${least}`,
  );
}

/** Whether a value is an object with at least these methods. */
export function hasMethods(value: unknown, ...names: readonly string[]): boolean {
  return isObject(value) && names.every((name) => typeof value[name] === 'function');
}

/**
 * Holds options against their rules. TypeScript does the same for those who use it; a host in JavaScript, or one that
 * reads its options from a file, would meet a `TypeError`, or a check that is silently off.
 *
 * @param group the name of the options, which stands in front of each of them: `access` for `access.apiKeys`
 * @returns what is wrong, by name and never by value
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

/** The same for a group that may be left out as a whole. */
export function optionalGroupProblems(
  ...[options, rules, group]: Parameters<typeof optionProblems>
): FieldProblem[] {
  return options === undefined ? [] : optionProblems(options, rules, group);
}

/** @throws {ConfigurationError} when anything is wrong */
export function refuseProblems(problems: readonly FieldProblem[]): void {
  if (problems.length > 0) throw new ConfigurationError(problems);
}

/**
 * Reads a part of a configuration with a parser that throws, so that several mistakes can be reported at once.
 *
 * @param problems is given what a `ConfigurationError` names
 * @returns undefined when there was one
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

/** Whether a parser that throws accepts a value. */
export function isAccepted(parse: (value: never) => unknown): (value: unknown) => boolean {
  return (value) => {
    try {
      parse(value as never); // a parser that takes a text refuses the rest
      return true;
    } catch {
      return false;
    }
  };
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
