import type { Field } from '../../../../../src/domain/dictionary/field.js';
import { defineInstrument } from '../../../../support/define-instrument.js';
import type { LogicScope } from '../../../../../src/domain/logic/evaluator.js';
import type { LogicValue } from '../../../../../src/domain/logic/values.js';
import { compileLogic, LogicError } from '../../../../../src/sandbox/redcap/logic.js';

/** The fields that the logic in these tests may name. */
export const FIELDS: ReadonlyMap<string, Field> = new Map(
  defineInstrument('base', [
    { name: 'id', type: 'text', label: 'Id' },
    { name: 'age', type: 'text', label: 'Age' },
    { name: 'born', type: 'text', label: 'Born' },
    { name: 'name', type: 'text', label: 'Name' },
    { name: 'blank', type: 'text', label: 'Never filled in' },
    { name: 'f', type: 'checkbox', label: 'Boxes', choicesOrCalculations: '1, One | 2, Two | -99, Unknown' },
  ]).map((field) => [field.name, field]),
);

/** A row whose references have the values of the table, keyed by the text of the reference. */
export function rowOf(values: Readonly<Record<string, string>>): LogicScope {
  return {
    value: ({ field, code, event, instance }) => {
      const prefix = event === undefined ? '' : `${event}.`;
      const name = field.toLowerCase() + (code === undefined ? '' : `(${code})`);
      const suffix = instance === undefined ? '' : `.${instance}`;
      return values[`${prefix}${name}${suffix}`] ?? '';
    },
    smart: (name) => values[name] ?? '',
  };
}

const ROW = rowOf({ id: 'A-1', age: '30', born: '1996-02-29', name: 'Ada', 'f(1)': '1', 'f(2)': '0' });
const OPTIONS = { clock: () => new Date('2026-03-01T12:30:00Z'), missingCodes: ['UNK', '-9'] };

/** Returns the value of logic for the row A-1: 30 years old, Ada, first box checked, at a fixed time. */
export function valueOf(source: string, scope: LogicScope = ROW): LogicValue {
  return compileLogic(source, FIELDS, OPTIONS).value(scope);
}

export function isTrue(source: string, scope: LogicScope = ROW): boolean {
  return compileLogic(source, FIELDS, OPTIONS).isTrue(scope);
}

/** Returns the reason why logic is refused; fails the test if it is accepted or fails otherwise. */
export function refusalOf(source: string): string {
  try {
    compileLogic(source, FIELDS, OPTIONS);
  } catch (error) {
    if (error instanceof LogicError) return error.reason;
    throw error;
  }
  throw new Error('Expected a refusal.');
}
