import { say } from '../errors/sentences.js';
import { ParseStop } from './logic-problem.js';
import { INSTANCE_WORDS, type InstanceName, type LogicNode, type Reference } from './syntax.js';
import type { Token } from './tokens.js';

/**
 * Smart variables that have a meaning outside a web page and a value that this package knows.
 *
 * @see docs/protocol/redcap.md 7.5 (doc)
 */
export const KNOWN_SMART_VARIABLES: ReadonlySet<string> = new Set([
  'record-name',
  'event-name',
  'arm-number',
  'current-instance',
  'first-event-name',
  'last-event-name',
]);

/** Smart variables that can name the event before a field. */
export const EVENT_VARIABLES: ReadonlySet<string> = new Set([
  'event-name',
  'first-event-name',
  'last-event-name',
  'previous-event-name',
  'next-event-name',
]);

const INSTANCES: ReadonlyMap<string, InstanceName> = new Map(
  INSTANCE_WORDS.map((word) => [`${word}-instance`, word]),
);

const FIELD = /^([A-Za-z]\w*)(?:\((.+)\))?$/;
const EVENT = /^\w+$/;

/**
 * Reads consecutive square brackets: `[field]`, `[event][field(code)][2]`, or one smart variable.
 *
 * @throws {ParseStop} unknown: another form, such as `[field:value]`
 * @see docs/protocol/redcap.md 7.1 (doc)
 */
export function readReference(brackets: readonly [Token, ...Token[]]): LogicNode {
  const [first] = brackets;
  const end = brackets.at(-1)?.end ?? first.end;
  if (brackets.length === 1 && isSmart(first.text))
    return { kind: 'smart', name: first.text, start: first.start, end };

  const rest = [...brackets];
  const instance = rest.length > 1 ? readInstance(rest.at(-1)) : undefined;
  if (instance !== undefined) rest.pop();
  const event = rest.length > 1 ? readEvent(rest.shift() ?? first) : undefined;
  const [field, ...others] = rest;
  if (field === undefined || others[0] !== undefined)
    throw new ParseStop((others[0] ?? first).start, say('logic_bracket'));
  return {
    kind: 'reference',
    ...readField(field),
    ...(event !== undefined && { event }),
    ...(instance !== undefined && { instance }),
    start: first.start,
    end,
  };
}

function isSmart(text: string): boolean {
  return /^[a-z]+(?:-[a-z]+)+(?::.*)?$/.test(text);
}

function readField({ text, start }: Token): Pick<Reference, 'field' | 'code'> {
  const [, field, code] = FIELD.exec(text) ?? [];
  if (field === undefined) throw new ParseStop(start, say('logic_field_form'));
  return code === undefined ? { field } : { field, code: code.trim() };
}

function readEvent({ text, start }: Token): string {
  if (EVENT.test(text) || EVENT_VARIABLES.has(text)) return text;
  throw new ParseStop(start, say('logic_event_form'));
}

function readInstance(token: Token | undefined): InstanceName | undefined {
  if (token === undefined) return undefined;
  return /^\d{1,9}$/.test(token.text) ? Number(token.text) : INSTANCES.get(token.text);
}
