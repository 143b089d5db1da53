import * as z from 'zod';
import { InvalidRequestError } from '../../../errors/caller-errors.js';
import { hasMethods, isObject } from '../../../errors/check-options.js';
import type { CallOptions } from '../call-options.js';
import type { WireParameters } from '../wire-parameters.js';
import type { ContentCalls } from './content-calls.js';
import { narrowingList } from './named-list.js';

/** The expected answer: a Zod schema, or anything that parses like one. */
export type AnswerSchema<Value> = z.ZodType<Value>;

export interface CustomCallOptions extends CallOptions {
  /** Whether the call changes nothing. Only then is it retried after a failure. No by default. */
  readonly isRead?: boolean | undefined;
}

interface CustomCall<Value> {
  readonly content: string;
  readonly parameters: WireParameters;
  readonly schema: AnswerSchema<Value> | undefined;
  readonly options: CustomCallOptions;
}

/** A name is sent as it is, so one with `&` or a line end could become further parameters. */
const PARAMETER_NAME = /^[A-Za-z_][\w-]{0,99}(?:\[[\w-]{0,100}\])*$/;

/** Parameters that the client sets itself. */
const OWN: ReadonlySet<string> = new Set(['token', 'content', 'format', 'returnFormat']);

/**
 * Calls a content that has no method of its own, with JSON as the format.
 *
 * @throws {InvalidRequestError} the content is not a name, the schema cannot parse, a parameter is one that the client sets itself, or has no proper
 *   name, or a list is empty
 */
export async function customCall<Value>(
  calls: ContentCalls,
  { content, parameters, schema, options }: CustomCall<Value>,
): Promise<Value> {
  if (typeof content !== 'string' || !/^[A-Za-z_]{1,60}$/.test(content)) {
    throw new InvalidRequestError([
      { field: 'content', message: "must be the name of a content of REDCap's API" },
    ]);
  }
  if (!isObject(parameters)) {
    throw new InvalidRequestError([{ field: 'parameters', message: 'must be an object' }]);
  }
  if (schema !== undefined && !hasMethods(schema, 'safeParse')) {
    throw new InvalidRequestError([{ field: 'schema', message: 'must be a Zod schema' }]);
  }
  const own = Object.keys(parameters).filter((name) => OWN.has(name.replace(/\[.*/s, '')));
  if (own.length > 0) {
    throw new InvalidRequestError(own.map((field) => ({ field, message: 'is set by the client itself' })));
  }
  for (const [index, [name, value]] of Object.entries(parameters).entries()) {
    if (!PARAMETER_NAME.test(name)) {
      // The name itself is not repeated: it may hold what was meant as a value.
      const message = `must have names of letters, digits, hyphens and underscores, and name ${index + 1} has others`;
      throw new InvalidRequestError([{ field: 'parameters', message }]);
    }
    if (Array.isArray(value)) narrowingList(name, value as readonly string[]);
  }
  // Without a schema the caller accepts a value of any type.
  const answer = schema ?? (z.unknown() as unknown as AnswerSchema<Value>);
  const named = { ...parameters, content };
  return options.isRead === true ? calls.ask(named, answer, options) : calls.write(named, answer, options);
}
