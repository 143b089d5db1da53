import * as z from 'zod';
import { InvalidIdentifierError, InvalidRequestError } from '../errors/caller-errors.js';
import type { FieldProblem } from '../errors/field-problem.js';
import { ConfigurationError } from '../errors/operator-errors.js';
import { nearestOption } from './nearest-name.js';

/** Options of which those that may be left out may also be given as undefined, which is the same. */
export type OrUndefined<T> = {
  readonly [Name in keyof T]: Partial<Pick<T, Name>> extends Pick<T, Name> ? T[Name] | undefined : T[Name];
};

/** The schema of every property, for `satisfies`, so that none can be forgotten. */
export type Shape<Properties> = { readonly [Name in keyof Properties]-?: z.ZodType<Properties[Name]> };

/** An argument: what an error calls it, and its schema, which may convert it. */
export interface Argument<Value = unknown> {
  readonly name: string;
  readonly schema: z.ZodType<Value>;
}

/** The arguments of every method of a group, so that none can be forgotten; groups in it have their own. */
export type ArgumentsOf<Group> = {
  readonly [Name in keyof Group]: Group[Name] extends (...given: infer Given) => infer Answer
    ? Answer extends Promise<unknown>
      ? Arguments<Given>
      : { readonly throws: Arguments<Given> }
    : ArgumentsOf<Group[Name]>;
};

type Arguments<Given extends readonly unknown[]> = {
  readonly [Index in keyof Given]-?: Argument<Given[Index]>;
};

export const argument = <Value>(name: string, schema: z.ZodType<Value>): Argument<Value> => ({
  name,
  schema,
});

/** Options, which may be left out. */
export const options = <Properties extends z.ZodRawShape>(shape: Properties) =>
  argument('options', strictObject(shape, 'an option').optional());

/** A list of objects, with at least one. */
export const listOfObjects = <Properties extends z.ZodRawShape>(name: string, shape: Properties) =>
  argument(name, z.array(strictObject(shape, 'a property'), 'must be a list').min(1, 'must not be empty'));

/**
 * An object with no other properties than these. TypeScript refuses others too, but from JavaScript a misspelt `field`
 * would export every field. The error of another has the name that was most likely meant.
 *
 * @param word what an error calls a property
 */
export function strictObject<Properties extends z.ZodRawShape>(shape: Properties, word: string) {
  const names = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== 'unrecognized_keys') return 'must be an object';
      // One line for each; `problemsOf` separates them again.
      return issue.keys
        .map((name) => {
          const meant = nearestOption(name, names);
          return `is not ${word}${meant === undefined ? '' : `; did you mean ${meant}?`}`;
        })
        .join('\n');
    },
  });
}

/** A name with its own form. @param parse throws `InvalidIdentifierError` */
export const identifier = <Name>(parse: (value: string) => Name) =>
  z.custom<string>().transform((value, { issues }): Name => {
    try {
      return parse(value);
    } catch (cause) {
      if (!(cause instanceof InvalidIdentifierError)) throw cause;
      issues.push({ code: 'custom', input: undefined, message: cause.message, params: { cause } });
      return z.NEVER;
    }
  });

/**
 * Returns a group of methods that parse their arguments before they call those of another group. They throw or reject
 * with an error that names every property that does not exist or breaks its rule, never its value.
 *
 * @param Refusal the class of the error
 */
export function checked<Group extends object>(
  group: Group,
  rules: ArgumentsOf<Group>,
  Refusal: RefusalClass = InvalidRequestError,
): Group {
  const members = Object.entries<unknown>(rules).map(([name, rule]) => {
    const member: unknown = Reflect.get(group, name);
    const isMethod = typeof member === 'function';
    // What a member has is what its rules are for.
    if (!isMethod) return [name, checked(member as object, rule as ArgumentsOf<object>, Refusal)] as const;
    return [name, checkedMethod(member.bind(group) as Method, rule as Rule, Refusal)] as const;
  });
  return Object.fromEntries(members) as Group; // the rules name every member
}

type Rule = readonly Argument[] | { readonly throws: readonly Argument[] };
type Method = (...given: readonly unknown[]) => unknown;
type RefusalClass = new (problems: readonly FieldProblem[]) => Error;

function checkedMethod(call: Method, rule: Rule, Refusal: RefusalClass): Method {
  const mayThrow = 'throws' in rule;
  const takes = mayThrow ? rule.throws : rule;
  const parse = (given: readonly unknown[]): unknown[] => parseAll(given, takes, Refusal);
  if (mayThrow) return (...given) => call(...parse(given));
  // An error that is thrown at once is a rejection too.
  return async (...given) => await call(...parse(given));
}

function parseAll(given: readonly unknown[], takes: readonly Argument[], Refusal: RefusalClass): unknown[] {
  const results = takes.map(({ name, schema }, index) => ({ name, ...schema.safeParse(given[index]) }));
  const issues = results.flatMap(({ error }) => error?.issues ?? []);
  const isTooLong = given.slice(takes.length).some((value) => value !== undefined);
  if (issues.length === 0 && !isTooLong) return results.map(({ data }) => data);

  const problems = results.flatMap(({ name, error }) => problemsOf(name, error?.issues ?? []));
  // Options after the last argument would be ignored, however they are spelt.
  if (isTooLong) problems.push({ field: 'arguments', message: `must be ${takes.length} at most` });
  if (problems.length > 0) throw new Refusal(problems);
  throw refusedName(issues);
}

/**
 * Parses a value by its schema.
 *
 * @throws {InvalidRequestError} names what breaks a rule, never its value
 * @throws {InvalidIdentifierError} a name has another form
 */
export function parseArgument<Value>({ name, schema }: Argument<Value>, value: unknown): Value {
  return parseAll([value], [{ name, schema }], InvalidRequestError)[0] as Value; // what the schema returned
}

/** Returns one problem for each field. Names of another form have an error of their own. */
export function problemsOf(name: string, issues: readonly z.core.$ZodIssue[]): FieldProblem[] {
  const problems = new Map<string, FieldProblem>();
  for (const issue of issues) {
    if (refusedNameOf(issue) !== undefined) continue;
    const keys = issue.code === 'unrecognized_keys' ? issue.keys : [undefined];
    const messages = issue.message.split('\n');
    for (const [index, key] of keys.entries()) {
      const field = fieldOf(name, key === undefined ? issue.path : [...issue.path, key]);
      if (!problems.has(field)) problems.set(field, { field, message: messages[index] ?? '' });
    }
  }
  return [...problems.values()];
}

/** `options.filterLogic` is called `filterLogic`, and the first of the `arms` is `arms[0]`. */
function fieldOf(name: string, path: readonly PropertyKey[]): string {
  const steps = typeof path[0] === 'string' ? path : [name, ...path];
  return steps
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .slice(1);
}

function refusedName(issues: readonly z.core.$ZodIssue[]): unknown {
  return issues.map(refusedNameOf).find((error) => error !== undefined);
}

function refusedNameOf(issue: z.core.$ZodIssue): unknown {
  return issue.code === 'custom' ? issue.params?.cause : undefined;
}

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

/** Returns those of the given options that the shape names. */
export function only<Options extends object, Name extends keyof Options>(
  given: Options,
  shape: Readonly<Record<Name, unknown>>,
): Pick<Options, Name> {
  const named = Object.entries(given).filter(([name]) => Object.hasOwn(shape, name));
  return Object.fromEntries(named) as Pick<Options, Name>; // each has its own value
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
