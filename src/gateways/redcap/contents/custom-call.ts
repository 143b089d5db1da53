import * as z from 'zod';
import {
  argument,
  options,
  type Shape,
  hasMethods,
  isObject,
  strictObject,
} from '../../../domain/identifiers/check-options.js';
import { CALL, type CallOptions } from '../call-options.js';
import type { ForwardedCall } from '../forwarded.js';
import type { FileSource } from '../request-body.js';
import type { WireParameters } from '../wire-parameters.js';
import { anyText, flag, listed, narrowing } from './argument-values.js';

/** The expected answer: a Zod schema, or anything that parses like one. */
export type AnswerSchema<Value> = z.ZodType<Value>;

export interface CustomCallOptions extends CallOptions {
  /** Whether the call changes nothing. Only then is it retried after a failure. No by default. */
  readonly isRead?: boolean | undefined;
}

const CONTENT_RULE = "must be the name of a content of REDCap's API";

/** A name is sent as it is, so one with `&` or a line end could become further parameters. */
const PARAMETER_NAME = /^[A-Za-z_][\w-]{0,99}(?:\[[\w-]{0,100}\])*$/;

/** Parameters that the client sets itself. */
const OWN: ReadonlySet<string> = new Set(['token', 'content', 'format', 'returnFormat']);

const PARAMETERS = z
  .custom<WireParameters>(isObject, 'must be an object')
  .superRefine((parameters, context) => {
    const refuse = (message: string, path: PropertyKey[]): void =>
      context.addIssue({ code: 'custom', path, message });
    for (const [index, [name, value]] of Object.entries(parameters).entries()) {
      if (OWN.has(name.replace(/\[.*/s, ''))) refuse('is set by the client itself', [name]);
      else if (!PARAMETER_NAME.test(name)) {
        // The name itself is not repeated: it may hold what was meant as a value.
        const rule = `must have names of letters, digits, hyphens and underscores, and name ${index + 1} has others`;
        refuse(rule, []);
      } else if (Array.isArray(value)) {
        for (const { message, path } of narrowing(listed(anyText)).safeParse(value).error?.issues ?? [])
          refuse(message, [name, ...path]);
      }
    }
  });

/** The arguments of a call of a content that has no method of its own. */
export const CUSTOM_CALL = [
  argument('content', z.string(CONTENT_RULE).regex(/^[A-Za-z_]{1,60}$/, CONTENT_RULE)),
  argument('parameters', PARAMETERS.optional()),
  argument(
    'schema',
    z
      .custom<AnswerSchema<never>>((schema) => hasMethods(schema, 'safeParse'), 'must be a Zod schema')
      .optional(),
  ),
  options({ ...CALL, isRead: flag.optional() } satisfies Shape<CustomCallOptions>),
] as const;

/** The arguments of a call that another client has made. */
export const FORWARD = [
  argument(
    'call',
    strictObject(
      {
        parameters: z.custom<WireParameters>(isObject, 'must be an object'),
        file: z.custom<FileSource>(isObject, 'must be a file').optional(),
        isRead: flag,
      } satisfies Shape<ForwardedCall>,
      'a property',
    ),
  ),
  options(CALL),
] as const;
