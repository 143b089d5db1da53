import type { FieldProblem } from '../../domain/errors/field-problem.js';
import { nearestName } from '../../domain/identifiers/nearest-name.js';

/** Whether a value is right, and the rule, which completes a sentence that starts with the option's name. */
export type Rule = readonly [isRight: (value: unknown) => boolean, rule: string];

/**
 * Checks options by hand: browsers load this client, which the schemas of `identifiers/check-options.ts` would make more than
 * four times as large.
 *
 * @param rules the rules by the names of the options
 * @param group the prefix of the names, such as `params`
 */
export function optionProblems(
  options: unknown,
  rules: Readonly<Record<string, Rule>>,
  group = '',
): FieldProblem[] {
  if (!isObject(options)) return [{ field: group || 'options', message: 'must be an object' }];
  const prefix = group && `${group}.`;
  const names = Object.keys(rules);
  const unknown = Object.keys(options).filter((name) => !Object.hasOwn(rules, name));
  const wrong = Object.entries(rules).filter(([name, [isRight]]) => !isRight(options[name]));
  return [
    ...unknown.map((name) => {
      const meant = nearestName(name, names);
      const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
      return { field: `${prefix}${name}`, message: `is not an option${hint}` };
    }),
    ...wrong.map(([name, [, rule]]) => ({ field: `${prefix}${name}`, message: rule })),
  ];
}

/** The rules of options whose values `fetch` and `openapi-fetch` check. */
export function anyValues(...names: readonly string[]): Readonly<Record<string, Rule>> {
  return Object.fromEntries(names.map((name) => [name, [() => true, '']]));
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
