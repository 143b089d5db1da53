import { choicesOf } from '../../../domain/dictionary/choices.js';
import type { Field } from '../../../domain/dictionary/field.js';
import type { Expression, LogicReference } from './expression.js';
import { LogicError } from './logic-error.js';

/** Smart variables that have a value outside a web page. @see docs/protocol/redcap.md 7.5 (choice) */
const SMART: ReadonlySet<string> = new Set([
  'record-name',
  'event-name',
  'arm-number',
  'current-instance',
  'first-event-name',
  'last-event-name',
]);

const INSTANCES: ReadonlyMap<string, LogicReference['instance']> = new Map([
  ['first-instance', 'first'],
  ['last-instance', 'last'],
  ['current-instance', 'current'],
  ['previous-instance', 'previous'],
  ['next-instance', 'next'],
]);

/** Smart variables that can replace an event name in front of a field. @see docs/protocol/redcap.md 7.5 (doc) */
const EVENTS: ReadonlySet<string> = new Set(['event-name', 'first-event-name', 'last-event-name']);

const FIELD = /^([A-Za-z][A-Za-z0-9_]*)(?:\((.+)\))?$/;
const EVENT = /^[a-z0-9_]*_arm_\d+[a-z]?$/i;

/**
 * Reads consecutive brackets: `[field]`, `[field(code)]`, `[event][field]`, `[field][2]`,
 * `[event][field][last-instance]` or one smart variable. Field names are case-insensitive.
 *
 * @throws {LogicError} an unknown field, choice or variable
 * @see docs/protocol/redcap.md 7.1 (doc)
 */
export function readReference(parts: readonly string[], fields: ReadonlyMap<string, Field>): Expression {
  const [first = ''] = parts;
  if (parts.length === 1 && SMART.has(first)) return { kind: 'smart', name: first };

  const rest = [...parts];
  const hasEvent = rest.length > 1 && !isField(first, fields) && (EVENTS.has(first) || EVENT.test(first));
  const event = hasEvent ? rest.shift() : undefined;
  const named = readField(rest.shift() ?? '', fields);
  const instance = rest.length > 0 ? readInstance(rest.shift() ?? '') : undefined;
  if (rest.length > 0) throw new LogicError('a reference has too many parts');
  return {
    kind: 'reference',
    reference: {
      ...named,
      ...(event !== undefined && { event }),
      ...(instance !== undefined && { instance }),
    },
  };
}

function isField(text: string, fields: ReadonlyMap<string, Field>): boolean {
  const [, name] = FIELD.exec(text) ?? [];
  return name !== undefined && fields.has(name.toLowerCase());
}

function readField(text: string, fields: ReadonlyMap<string, Field>): { field: string; code?: string } {
  const [, name = '', code] = FIELD.exec(text) ?? [];
  const field = fields.get(name.toLowerCase());
  if (field === undefined) throw new LogicError('it names a field that does not exist');
  if (code === undefined) return { field: field.name };
  if (field.type !== 'checkbox') throw new LogicError('it names a choice of a field that is not a checkbox');
  if (!choicesOf(field).some((choice) => choice.code === code.trim())) {
    throw new LogicError('it names a choice that does not exist');
  }
  return { field: field.name, code: code.trim() };
}

function readInstance(text: string): LogicReference['instance'] {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const instance = INSTANCES.get(text);
  if (instance === undefined) throw new LogicError('it names an instance that cannot be read');
  return instance;
}
