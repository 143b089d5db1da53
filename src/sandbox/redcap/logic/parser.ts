import type { Field } from '../../../domain/dictionary/field.js';
import type { Expression, Link, Operator } from './expression.js';
import { FUNCTIONS } from './functions.js';
import { LogicError } from './logic-error.js';
import { readReference } from './references.js';
import { tokenize, type Token } from './tokens.js';
import { fromBoolean } from './values.js';

/** Maximum nesting depth. Without it, `((((…` would overflow the stack of this recursive parser. */
const MAX_DEPTH = 100;

/** Operators by precedence, lowest first. Those of one level are left-associative. */
const LEVELS: readonly (readonly string[])[] = [
  ['or'],
  ['and'],
  ['=', '<>', '!=', '<', '<=', '>', '>='],
  ['+', '-'],
  ['*', '/'],
  ['^'],
];

/** `not` binds less tightly than a comparison: `not [a] = 1` is `not ([a] = 1)`. */
const COMPARISON_LEVEL = 2;

/**
 * Parses logic by the grammar in docs/protocol/redcap.md 7.6 (choice).
 *
 * @throws {LogicError} invalid syntax, an unknown field or function, or too many nested parentheses
 */
export function parseLogic(source: string, fields: ReadonlyMap<string, Field>): Expression {
  const parser = new Parser(tokenize(source), fields);
  return parser.whole();
}

class Parser {
  #position = 0;
  #depth = 0;

  constructor(
    private readonly tokens: readonly Token[],
    private readonly fields: ReadonlyMap<string, Field>,
  ) {}

  whole(): Expression {
    const expression = this.#level(0);
    if (this.#peek() !== undefined) throw new LogicError('there is text after its end');
    return expression;
  }

  #level(level: number): Expression {
    const operators = LEVELS[level];
    if (operators === undefined) return this.#unary();
    if (level === COMPARISON_LEVEL && this.#takeWord('not')) {
      return { kind: 'not', operand: this.#nested(() => this.#level(COMPARISON_LEVEL)) };
    }
    const first = this.#level(level + 1);
    const rest: Link[] = [];
    for (let operator = this.#takeOperator(operators); operator !== undefined;) {
      rest.push({ operator, operand: this.#level(level + 1) });
      operator = this.#takeOperator(operators);
    }
    return rest.length === 0 ? first : { kind: 'chain', first, rest };
  }

  #unary(): Expression {
    if (this.#takeSign('-')) return { kind: 'negative', operand: this.#nested(() => this.#unary()) };
    if (this.#takeSign('+')) return this.#nested(() => this.#unary());
    return this.#atom();
  }

  #atom(): Expression {
    const token = this.#next();
    switch (token.kind) {
      case 'number':
        return { kind: 'value', value: Number(token.text) };
      case 'string':
        return { kind: 'value', value: token.text };
      case 'reference':
        return this.#reference(token.text);
      case 'name':
        return this.#name(token.text.toLowerCase());
      case 'sign':
        if (token.text === '(') return this.#parenthesis();
        throw new LogicError('an operator stands where a value is needed');
    }
  }

  #parenthesis(): Expression {
    const inner = this.#nested(() => this.#level(0));
    this.#expect(')');
    return inner;
  }

  #reference(first: string): Expression {
    const parts = [first];
    for (let token = this.#peek(); token?.kind === 'reference'; token = this.#peek()) {
      parts.push(token.text);
      this.#position += 1;
    }
    return readReference(parts, this.fields);
  }

  #name(name: string): Expression {
    if (name === 'true' || name === 'false') return { kind: 'value', value: fromBoolean(name === 'true') };
    return this.#call(name);
  }

  #call(name: string): Expression {
    const definition = FUNCTIONS.get(name);
    if (definition === undefined) throw new LogicError('it uses a function that does not exist');
    this.#expect('(');
    const given: Expression[] = [];
    if (!this.#takeSign(')')) {
      do given.push(this.#nested(() => this.#level(0)));
      while (this.#takeSign(','));
      this.#expect(')');
    }
    const [least, most] = definition.arity;
    if (given.length < least || given.length > most) {
      throw new LogicError('a function has the wrong number of arguments');
    }
    return { kind: 'call', name, arguments: given };
  }

  #nested(read: () => Expression): Expression {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new LogicError('it is nested too deep');
    const expression = read();
    this.#depth -= 1;
    return expression;
  }

  #takeOperator(operators: readonly string[]): Operator | undefined {
    const token = this.#peek();
    const text = token?.kind === 'name' ? token.text.toLowerCase() : token?.text;
    if (token === undefined || (token.kind !== 'sign' && token.kind !== 'name')) return undefined;
    if (text === undefined || !operators.includes(text)) return undefined;
    this.#position += 1;
    return (text === '!=' ? '<>' : text) as Operator; // `text` is one of LEVELS
  }

  #takeSign(text: string): boolean {
    const token = this.#peek();
    if (token?.kind !== 'sign' || token.text !== text) return false;
    this.#position += 1;
    return true;
  }

  #takeWord(word: string): boolean {
    const token = this.#peek();
    if (token?.kind !== 'name' || token.text.toLowerCase() !== word) return false;
    this.#position += 1;
    return true;
  }

  #expect(sign: string): void {
    if (!this.#takeSign(sign)) throw new LogicError(`a ${sign} is missing`);
  }

  #next(): Token {
    const token = this.#peek();
    if (token === undefined) throw new LogicError('it ends too early');
    this.#position += 1;
    return token;
  }

  #peek(): Token | undefined {
    return this.tokens[this.#position];
  }
}
