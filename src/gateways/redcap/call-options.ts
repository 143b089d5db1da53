import * as z from 'zod';
import { hasMethods, type Shape } from '../../domain/identifiers/check-options.js';

/** Options that every operation of the client takes as its last argument. */
export interface CallOptions {
  /** Cancels the call, its retries and its waiting. The promise rejects with `CancelledError`. */
  readonly signal?: AbortSignal | undefined;
  /**
   * The name under which the call waits in the queue for REDCap. Callers with different names share the queue fairly.
   */
  readonly caller?: string | undefined;
  /**
   * W3C trace context, sent to REDCap with the call. Not sent if it is not valid, nor with calls that several callers
   * can share.
   */
  readonly traceparent?: string | undefined;
}

/** Options of a change of the design, or of users. */
export interface WriteOptions extends CallOptions {
  /**
   * Checks what is checked before a call, as for the change, and sends nothing. The answer is the number of entries that
   * would be sent.
   */
  readonly dryRun?: boolean | undefined;
}

/** Options of a call that is part of a larger operation. */
export interface PartOptions {
  /**
   * Whether the operation was already admitted, like a batched export with its first call. If there is no turn for this
   * part, it then waits as long as the total time of a call allows, instead of being refused with `OverloadedError`.
   */
  readonly isContinuation?: boolean | undefined;
}

/** The options of every call. `audit` is for the services, which take notes for the audit log. */
export const CALL = {
  signal: z
    .custom<AbortSignal>(
      (value) => hasMethods(value, 'addEventListener', 'removeEventListener'),
      'must be an AbortSignal',
    )
    .optional(),
  caller: z.string('must be text').optional(),
  traceparent: z.string('must be text').optional(),
  isContinuation: z.boolean('must be true or false').optional(),
  audit: z.custom((value) => hasMethods(value, 'add'), 'must take notes, with add').optional(),
} satisfies Shape<CallOptions & PartOptions & { readonly audit?: unknown }>;

/** The options of a change of the design, or of users. */
export const WRITE = {
  ...CALL,
  dryRun: z.boolean('must be true or false').optional(),
} satisfies Shape<WriteOptions>;
