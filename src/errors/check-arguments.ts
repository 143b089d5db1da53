import { InvalidRequestError } from './caller-errors.js';
import { hasMethods, isObject, optionProblems, type OptionRules } from './check-options.js';
import type { FieldProblem } from './field-problem.js';
import { fromCaller } from './from-caller.js';

/** The rule of an argument. */
export interface ArgumentRule<Name extends PropertyKey = string> {
  /** What an error calls it. */
  readonly name: string;
  readonly kind: 'options' | 'object' | 'list' | 'methods' | 'text';
  readonly isOptional?: boolean;
  readonly rules: OptionRules<Name>;
}

/** An argument that may be omitted. */
export const options = <Name extends PropertyKey>(rules: OptionRules<Name>): ArgumentRule<Name> => ({
  name: 'options',
  kind: 'options',
  rules,
});

/** An argument that is needed. */
export const object = <Name extends PropertyKey>(
  name: string,
  rules: OptionRules<Name>,
): ArgumentRule<Name> => ({ name, kind: 'object', rules });

/** A list of objects. */
export const listOfObjects = <Name extends PropertyKey>(
  name: string,
  rules: OptionRules<Name>,
): ArgumentRule<Name> => ({ name, kind: 'list', rules });

/** An object of the caller that needs at least these methods. */
export const methods = <Name extends PropertyKey>(
  name: string,
  rules: OptionRules<Name>,
  { isOptional = false } = {},
): ArgumentRule<Name> => ({ name, kind: 'methods', rules, isOptional });

export const text = (name: string): ArgumentRule<never> => ({ name, kind: 'text', rules: {} });

/** The rule of an argument, or null if the method checks the argument itself, as it does with names and numbers. */
type RuleOf<Argument> = Argument extends readonly (infer Item)[]
  ? Item extends object
    ? ArgumentRule<keyof Item> | null
    : null
  : Argument extends object
    ? ArgumentRule<keyof Argument> | null
    : ArgumentRule<never> | null;

type RulesOf<Arguments extends readonly unknown[]> = {
  readonly [Index in keyof Arguments]-?: RuleOf<NonNullable<Arguments[Index]>>;
};

type RulesOfMethod<Method> = Method extends (...given: infer Arguments) => infer Answer
  ? Answer extends Promise<unknown>
    ? RulesOf<Arguments>
    : { readonly throws: RulesOf<Arguments> }
  : never;

/** The methods that have arguments. */
type MethodOf<Instance> = {
  [Name in keyof Instance]: Instance[Name] extends (...given: infer Arguments) => unknown
    ? Arguments extends readonly []
      ? never
      : Name
    : never;
}[keyof Instance];

/**
 * The rules of every method, so that none can be forgotten. A method that returns no promise throws its errors instead
 * of rejecting with them.
 */
export type MethodRules<Instance> = {
  readonly [Name in MethodOf<Instance>]: RulesOfMethod<Instance[Name]>;
};

/**
 * Makes the methods of a class check their arguments. TypeScript checks them too, but from JavaScript a misspelt `field`
 * would export every field.
 *
 * The methods then throw or reject with an error that names every option that does not exist or breaks its rule, and the
 * one that was most likely meant. The stack of every error begins at the line that called the method.
 *
 * @param Refusal the class of the error
 */
export function checkArguments<Instance extends object>(
  { prototype }: { readonly prototype: Instance },
  rulesOf: MethodRules<Instance>,
  Refusal: new (problems: readonly FieldProblem[]) => Error = InvalidRequestError,
): void {
  for (const [name, given] of Object.entries<Rules | { readonly throws: Rules }>(rulesOf)) {
    const method = Reflect.get(prototype, name) as Method;
    const rules = 'throws' in given ? given.throws : given;
    const mayThrow = 'throws' in given;
    const checked = function (this: unknown, ...given: readonly unknown[]): unknown {
      return fromCaller(checked, () => {
        const problems = argumentProblems(given, rules);
        if (problems.length === 0) return Reflect.apply(method, this, given);
        const error = new Refusal(problems);
        if (mayThrow) throw error;
        return Promise.reject(error);
      });
    };
    Object.defineProperty(prototype, name, { value: checked, configurable: true, writable: true });
  }
}

type Rules = readonly (ArgumentRule | null)[];
type Method = (...given: unknown[]) => unknown;

function argumentProblems(given: readonly unknown[], rules: Rules): FieldProblem[] {
  const problems: FieldProblem[] = [];
  for (const [index, rule] of rules.entries()) {
    if (rule !== null) problems.push(...problemsOfArgument(given[index], rule));
  }
  for (let index = rules.length; index < given.length; index++) {
    // Options after the last argument would be ignored, however they are spelt.
    if (given[index] !== undefined) {
      problems.push({ field: 'arguments', message: `must be ${rules.length} at most` });
    }
  }
  return problems;
}

function problemsOfArgument(value: unknown, { name, kind, rules, isOptional }: ArgumentRule): FieldProblem[] {
  if (kind === 'options') return value === undefined ? [] : optionProblems(value, rules);
  if (kind === 'object') {
    if (!isObject(value)) return [{ field: name, message: 'must be an object' }];
    return optionProblems(value, rules, '', name === 'options' ? 'option' : 'property');
  }
  if (kind === 'text') return typeof value === 'string' ? [] : [{ field: name, message: 'must be text' }];
  if (kind === 'methods') {
    const names = Object.keys(rules);
    if ((isOptional && value === undefined) || hasMethods(value, ...names)) return [];
    return [{ field: name, message: `must have the methods ${names.join(', ')}` }];
  }
  if (!Array.isArray(value)) return [{ field: name, message: 'must be a list' }];
  return value.flatMap((item: unknown, index) =>
    optionProblems(item, rules, `${name}[${index}]`, 'property'),
  );
}
