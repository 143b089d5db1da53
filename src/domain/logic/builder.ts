import { refusal } from '../errors/refusal.js';
import type { LogicNote } from './logic-problem.js';
import { printLogic, quoteText } from './printer.js';
import {
  INSTANCE_WORDS,
  type ComparisonOperator,
  type InstanceName,
  type LogicNode,
  type Operator,
  type Reference,
} from './syntax.js';

/** A value that a field is compared with. Text is quoted, numbers are not. */
export type LogicLiteral = string | number;

/** Immutable logic under construction. `toString` returns text that is safe to send. */
export class Logic {
  readonly #tree: LogicNode;

  /** @param tree as returned by `parseLogic` or built by the builder */
  constructor(tree: LogicNode) {
    this.#tree = tree;
  }

  and(other: Logic): Logic {
    return this.#joined('and', other);
  }

  or(other: Logic): Logic {
    return this.#joined('or', other);
  }

  not(): Logic {
    return new Logic({ kind: 'not', operand: this.#tree, ...NOWHERE });
  }

  toString(): string {
    return printLogic(this.#tree);
  }

  toJSON(): string {
    return this.toString();
  }

  #joined(operator: 'and' | 'or', other: Logic): Logic {
    const given: unknown = other;
    if (!(given instanceof Logic)) throw refusal(operator, 'must be given logic, as where makes it');
    const [left, right] = [this.#tree, other.#tree];
    // Keep the chain flat, so that thousands of alternatives do not nest.
    const flat = left.kind === 'chain' && left.rest[0]?.operator === operator ? left : undefined;
    return new Logic(chain(flat?.first ?? left, [...(flat?.rest ?? []), { operator, operand: right }]));
  }
}

/**
 * Filter logic that was checked where an export begins. It travels as this type, so that none of the calls of the export
 * checks it again.
 */
export class CheckedFilter extends Logic {
  readonly #text: string;
  /** Parts that could not be checked or are probably mistakes. */
  readonly notes: readonly LogicNote[];

  /** @param text as the caller wrote it, which is what is sent */
  constructor(text: string, notes: readonly LogicNote[]) {
    super({ kind: 'text', value: '', ...NOWHERE });
    this.#text = text;
    this.notes = notes;
  }

  override toString(): string {
    return this.#text;
  }
}

/** A field to which a comparison is added. @typeParam Value the values that the field can be compared with */
export class FieldLogic<Value extends LogicLiteral = LogicLiteral, Code extends LogicLiteral = LogicLiteral> {
  readonly #reference: Reference;

  constructor(field: string | Reference) {
    this.#reference = typeof field === 'string' ? { kind: 'reference', field, ...NOWHERE } : field;
  }

  /** The value of the field at another event. */
  atEvent(event: string): FieldLogic<Value, Code> {
    return new FieldLogic({ ...this.#reference, event: checkedName('event', event) });
  }

  /** The value of the field in one of its repeat instances, from 1. */
  inInstance(instance: InstanceName): FieldLogic<Value, Code> {
    const isNumber = Number.isInteger(instance) && Number(instance) >= 1 && Number(instance) <= MAX_INSTANCE;
    if (!isNumber && !INSTANCE_WORDS.some((word) => word === instance)) {
      throw refusal(
        'instance',
        `must be a whole number from 1 to ${MAX_INSTANCE}, or ${INSTANCE_WORDS.join(', ')}`,
      );
    }
    return new FieldLogic({ ...this.#reference, instance });
  }

  eq(value: Value): Logic {
    return new Logic(this.#compared('=', value));
  }

  ne(value: Value): Logic {
    return new Logic(this.#compared('<>', value));
  }

  lt(value: Value): Logic {
    return new Logic(this.#compared('<', value));
  }

  lte(value: Value): Logic {
    return new Logic(this.#compared('<=', value));
  }

  gt(value: Value): Logic {
    return new Logic(this.#compared('>', value));
  }

  gte(value: Value): Logic {
    return new Logic(this.#compared('>=', value));
  }

  /** Equals one of these values. @throws {InvalidRequestError} the list is empty */
  isOneOf(values: readonly Value[]): Logic {
    const list: unknown = values;
    if (!Array.isArray(list)) throw refusal(this.#reference.field, 'must be compared with a list of values');
    const [first, ...others] = values.map((value) => this.#compared('=', value));
    if (first === undefined) throw refusal(this.#reference.field, 'must be compared with at least one value');
    const alternatives = others.map((operand) => ({ operator: 'or', operand }) as const);
    return new Logic(alternatives.length === 0 ? first : chain(first, alternatives));
  }

  isBlank(): Logic {
    return new Logic(compared(this.#reference, '=', text('', this.#reference.field)));
  }

  isNotBlank(): Logic {
    return new Logic(compared(this.#reference, '<>', text('', this.#reference.field)));
  }

  /** The choice of a checkbox field is checked. */
  includes(code: Code): Logic {
    return this.#checked(code, 1);
  }

  /** The choice of a checkbox field is not checked. */
  excludes(code: Code): Logic {
    return this.#checked(code, 0);
  }

  /** Contains the text, ignoring case. */
  contains(part: string): Logic {
    return new Logic(call('contains', [this.#reference, text(part, this.#reference.field)]));
  }

  /** Starts with the text, ignoring case. */
  startsWith(part: string): Logic {
    return new Logic(call('starts_with', [this.#reference, text(part, this.#reference.field)]));
  }

  /** Equals the text, ignoring case. REDCap's `=` is case-sensitive. */
  eqIgnoringCase(value: string): Logic {
    const { field } = this.#reference;
    const lower = text(typeof value === 'string' ? value.toLowerCase() : value, field);
    return new Logic(compared(call('lower', [this.#reference]), '=', lower));
  }

  #compared(operator: ComparisonOperator, value: Value): LogicNode {
    return compared(this.#reference, operator, literal(value, this.#reference.field));
  }

  #checked(code: Code, state: 0 | 1): Logic {
    const choice = typeof code === 'string' || typeof code === 'number' ? `${code}` : ''; // a caller without types
    if (!/^[\w.-]+$/.test(choice))
      throw refusal(this.#reference.field, 'has choices of letters, digits, _, - and .');
    return new Logic(compared({ ...this.#reference, code: choice }, '=', text(`${state}`, choice)));
  }
}

/**
 * Begins a condition in REDCap's logic: `where('age').gte(18).and(where('sites').includes('3'))`.
 *
 * @throws {InvalidRequestError} here or in a comparison: the name is not that of a field, or a text has both kinds of
 *   quotes, a backslash or a control character, which the language cannot express
 */
export function where(field: string): FieldLogic {
  return new FieldLogic(checkedName('field', field));
}

/** The position of a built node, which is not part of a text. */
const NOWHERE = { start: 0, end: 0 } as const;

function chain(first: LogicNode, rest: readonly { operator: Operator; operand: LogicNode }[]): LogicNode {
  return { kind: 'chain', first, rest, ...NOWHERE };
}

function compared(left: LogicNode, operator: ComparisonOperator, right: LogicNode): LogicNode {
  return chain(left, [{ operator, operand: right }]);
}

function call(name: string, given: readonly LogicNode[]): LogicNode {
  return { kind: 'call', name, arguments: given, ...NOWHERE };
}

function literal(value: LogicLiteral, field: string): LogicNode {
  if (typeof value === 'string') return text(value, field);
  const digits = typeof value === 'number' ? String(Math.abs(value)) : ''; // a caller without types
  if (!/^\d+(?:\.\d+)?$/.test(digits))
    throw refusal(field, 'must be compared with a number without an exponent');
  const number: LogicNode = { kind: 'number', text: digits, ...NOWHERE };
  return value < 0 ? { kind: 'sign', sign: '-', operand: number, ...NOWHERE } : number;
}

function text(value: string, field: string): LogicNode {
  if (typeof value === 'string' && quoteText(value) !== undefined) return { kind: 'text', value, ...NOWHERE };
  throw refusal(
    field,
    'must not be compared with text that has a control character, a backslash or both kinds of quote',
  );
}

function checkedName(kind: 'field' | 'event', name: string): string {
  if (typeof name === 'string' && (kind === 'field' ? FIELD : EVENT).test(name)) return name;
  throw refusal(kind, `must be the name of ${kind === 'field' ? 'a field' : 'an event'}`);
}

const MAX_INSTANCE = 999_999_999;
const FIELD = /^[A-Za-z]\w{0,99}$/;
const EVENT = /^\w{1,100}$/;
