import { say } from '../errors/sentences.js';
import { ParseStop, type LogicProblem } from './logic-problem.js';
import { readReference } from './references.js';
import { COMPARISON_LEVEL, LEVELS, type Link, type LogicNode, type Operator } from './syntax.js';
import { tokenize, type Token } from './tokens.js';

/** Parsed logic, or the reason why it could not be parsed. */
export type ParsedLogic =
  | { readonly tree: LogicNode }
  | {
      readonly problem: LogicProblem;
      /** Whether the text is certainly invalid: a bracket is not closed, or a value is missing at the end. */
      readonly isBroken: boolean;
    };

/**
 * Parses REDCap's logic without a project. Names are not looked up.
 *
 * @returns the syntax tree with the position of each node, or the first problem. Constructs that this grammar does not
 *   know are not called broken, because REDCap's own parser is not published.
 * @see docs/protocol/redcap.md 7.6 (choice)
 */
export function parseLogic(source: string): ParsedLogic {
  try {
    return { tree: new Parser(tokenize(source), source.length).whole() };
  } catch (error) {
    if (!(error instanceof ParseStop)) throw error;
    // A server may read \' as a quote inside a text. The quotes can then not be counted here (docs/protocol/redcap.md
    // 7.3).
    const isBroken = error.isBroken && !/\\['"]/.test(source);
    return { problem: { at: error.start + 1, ...error.sentence }, isBroken };
  }
}

/** Without a limit, input like `((((…` would overflow the stack of this recursive parser. */
const MAX_DEPTH = 100;

class Parser {
  #position = 0;
  #depth = 0;

  constructor(
    private readonly tokens: readonly Token[],
    private readonly length: number,
  ) {}

  whole(): LogicNode {
    const tree = this.#level(0);
    const behind = this.#peek();
    if (behind !== undefined) throw new ParseStop(behind.start, say('logic_operator'));
    return tree;
  }

  #level(level: number): LogicNode {
    const operators = LEVELS[level];
    if (operators === undefined) return this.#signed();
    const not = level === COMPARISON_LEVEL ? this.#take('name', 'not') : undefined;
    if (not !== undefined) {
      const operand = this.#nested(() => this.#level(COMPARISON_LEVEL));
      return { kind: 'not', operand, start: not.start, end: operand.end };
    }
    const first = this.#level(level + 1);
    const rest: Link[] = [];
    for (let operator = this.#operator(operators); operator; operator = this.#operator(operators))
      rest.push({ operator, operand: this.#level(level + 1) });
    const last = rest.at(-1);
    if (last === undefined) return first;
    return { kind: 'chain', first, rest, start: first.start, end: last.operand.end };
  }

  #signed(): LogicNode {
    const token = this.#take('sign', '-') ?? this.#take('sign', '+');
    if (token === undefined) return this.#atom();
    const operand = this.#nested(() => this.#signed());
    const sign = token.text === '-' ? '-' : '+';
    return { kind: 'sign', sign, operand, start: token.start, end: operand.end };
  }

  #atom(): LogicNode {
    const token = this.#peek();
    if (token === undefined) throw new ParseStop(this.length, say('logic_end'), true);
    this.#position++;
    const { start, end, text } = token;
    switch (token.kind) {
      case 'number':
        return { kind: 'number', text, start, end };
      case 'text':
        return { kind: 'text', value: text, start, end };
      case 'bracket':
        return this.#reference(token);
      case 'name':
        return this.#name(token);
      case 'sign':
        if (text === '(') return this.#parenthesis();
        throw new ParseStop(start, say('logic_value'));
    }
  }

  #reference(first: Token): LogicNode {
    const brackets: [Token, ...Token[]] = [first];
    for (let next = this.#peek(); next?.kind === 'bracket'; next = this.#peek()) {
      brackets.push(next);
      this.#position++;
    }
    return readReference(brackets);
  }

  #parenthesis(): LogicNode {
    const inner = this.#nested(() => this.#level(0));
    this.#expect(')');
    return inner;
  }

  #name({ text, start, end }: Token): LogicNode {
    const name = text.toLowerCase();
    if (name === 'true' || name === 'false') return { kind: 'boolean', value: name === 'true', start, end };
    if (this.#take('sign', '(') === undefined) throw new ParseStop(start, say('logic_word'));
    const given: LogicNode[] = [];
    let close = this.#take('sign', ')');
    if (close === undefined) {
      do given.push(this.#nested(() => this.#level(0)));
      while (this.#take('sign', ',') !== undefined);
      close = this.#expect(')');
    }
    return { kind: 'call', name, arguments: given, start, end: close.end };
  }

  #nested(read: () => LogicNode): LogicNode {
    this.#depth++;
    if (this.#depth > MAX_DEPTH) throw new ParseStop(this.#peek()?.start ?? this.length, say('logic_depth'));
    const node = read();
    this.#depth--;
    return node;
  }

  #operator(operators: readonly Operator[]): Operator | undefined {
    const token = this.#peek();
    if (token?.kind !== 'sign' && token?.kind !== 'name') return undefined;
    const text = token.text === '!=' ? '<>' : token.text.toLowerCase();
    const operator = operators.find((known) => known === text);
    if (operator !== undefined) this.#position++;
    return operator;
  }

  #take(kind: Token['kind'], text: string): Token | undefined {
    const token = this.#peek();
    if (token?.kind !== kind || token.text.toLowerCase() !== text) return undefined;
    this.#position++;
    return token;
  }

  #expect(sign: string): Token {
    const token = this.#take('sign', sign);
    if (token !== undefined) return token;
    throw new ParseStop(this.#peek()?.start ?? this.length, say('logic_sign', { sign }));
  }

  #peek(): Token | undefined {
    return this.tokens[this.#position];
  }
}
