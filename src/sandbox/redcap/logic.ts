import { choicesOf } from '../../domain/dictionary/choices.js';
import type { Field } from '../../domain/dictionary/field.js';
import { compileLogic as compileTree, type LogicScope } from '../../domain/logic/evaluator.js';
import { FUNCTIONS } from '../../domain/logic/functions.js';
import { parseLogic, type ParsedLogic } from '../../domain/logic/parser.js';
import { KNOWN_SMART_VARIABLES } from '../../domain/logic/references.js';
import { nodesOf, type LogicNode, type Reference } from '../../domain/logic/syntax.js';
import type { LogicValue } from '../../domain/logic/values.js';

/**
 * Where REDCap decides what the service leaves open. Everything else is evaluated by `domain/logic`.
 *
 * @see docs/protocol/redcap.md 7.4 (choice), 7.5 (choice)
 */
const QUIRKS = {
  /** The result of a function of a date whose order is not known. */
  unreadDate: '',
  /** Smart variables that can name the event before a field. */
  events: new Set(['event-name', 'first-event-name', 'last-event-name']),
  /** An event in front of a field, which may be one that the project does not have. */
  event: /^[a-z0-9_]*_arm_\d+[a-z]?$/i,
  /** Why logic is refused that cannot be parsed, by the code of the problem. */
  reasons: new Map([
    ['logic_too_long', 'it is too long'],
    ['logic_depth', 'it is nested too deep'],
    ['logic_end', 'it ends too early'],
    ['logic_operator', 'there is text after its end'],
    ['logic_value', 'an operator stands where a value is needed'],
    ['logic_sign', 'a ) is missing'],
    ['logic_word', 'it uses a function that does not exist'],
    ['logic_bracket', 'a reference has too many parts'],
    ['logic_field_form', 'it names a field that does not exist'],
    ['logic_event_form', 'it names a field that does not exist'],
  ]),
};

/** The logic is not valid. `reason` says why, without quoting the logic. */
export class LogicError extends Error {
  constructor(readonly reason: string) {
    super(reason);
  }
}

/** Logic that is parsed once and evaluated for many rows. */
export interface CompiledLogic {
  isTrue(scope: LogicScope): boolean;
  value(scope: LogicScope): LogicValue;
}

/** What logic depends on besides the values of a row. */
interface LogicOptions {
  /** The server's clock, for `'today'` and `'now'`. */
  readonly clock: () => Date;
  /** The codes with which the project marks a value as missing. */
  readonly missingCodes: readonly string[];
}

/**
 * Compiles logic as REDCap does: what the service notes as unknown is an error.
 *
 * @param fields the fields that the logic can refer to, by name
 * @throws {LogicError} invalid syntax, an unknown field, choice or function, or too many nested parentheses
 * @see docs/protocol/redcap.md 7
 */
export function compileLogic(
  source: string,
  fields: ReadonlyMap<string, Field>,
  { clock, missingCodes }: LogicOptions,
): CompiledLogic {
  const parsed = parseLogic(source);
  if ('problem' in parsed) throw new LogicError(reasonOf(parsed));
  for (const node of nodesOf(parsed.tree)) checkNode(node, fields);
  const options = { clock, missingDataCodes: missingCodes, unreadDate: QUIRKS.unreadDate };
  const logic = compileTree(parsed.tree, options);
  return { isTrue: (scope) => logic.isTrue(scope) ?? false, value: (scope) => logic.value(scope) ?? '' };
}

function reasonOf({ problem }: Extract<ParsedLogic, { problem: unknown }>): string {
  return QUIRKS.reasons.get(problem.code) ?? `it cannot be read at character ${problem.at}`;
}

function checkNode(node: LogicNode, fields: ReadonlyMap<string, Field>): void {
  if (node.kind === 'reference') {
    checkReference(node, fields);
  } else if (node.kind === 'smart') {
    if (!KNOWN_SMART_VARIABLES.has(node.name)) throw new LogicError('it names a field that does not exist');
  } else if (node.kind === 'call') {
    const [least, most] = FUNCTIONS.get(node.name)?.arity ?? [];
    if (least === undefined || most === undefined)
      throw new LogicError('it uses a function that does not exist');
    if (node.arguments.length < least || node.arguments.length > most)
      throw new LogicError('a function has the wrong number of arguments');
  }
}

function checkReference({ field: name, code, event }: Reference, fields: ReadonlyMap<string, Field>): void {
  if (event !== undefined && fields.has(event.toLowerCase()))
    throw new LogicError('it names an instance that cannot be read');
  const isEvent = event === undefined || QUIRKS.events.has(event) || QUIRKS.event.test(event);
  const field = fields.get(name.toLowerCase());
  if (!isEvent || field === undefined) throw new LogicError('it names a field that does not exist');
  if (code === undefined) return;
  if (field.type !== 'checkbox') throw new LogicError('it names a choice of a field that is not a checkbox');
  if (!choicesOf(field).some((choice) => choice.code === code))
    throw new LogicError('it names a choice that does not exist');
}
