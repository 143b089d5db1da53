import { Readable } from 'node:stream';
import { toAnswerBody } from './answer-body.js';
import { AnswerStream } from './answer-stream.js';
import { outOfMemory } from './classify-answer.js';
import { isMemoryError, toErrorBody } from './error-text.js';
import { ANY_TEXT_FORM, type ExportForm, FILE_FORM, withoutBlanks } from './export-form.js';
import { readFileHead, type Reading } from './readings.js';
import type { FileSource } from './request-body.js';
import type { WireParameters } from './wire-parameters.js';

/** A call of REDCap's API as a client of that API has made it, without its token. */
export interface ForwardedCall {
  /** Under the names that the client gave them: `fields[0]`, `fields`. */
  readonly parameters: WireParameters;
  /** Sent after the parameters, and read once. */
  readonly file?: FileSource | undefined;
  /** Whether the call changes nothing. Only then is it retried after a failure. */
  readonly isRead: boolean;
}

/** REDCap's own answer to a call: data, or its refusal of the call. */
export interface ForwardedAnswer {
  readonly status: number;
  /** As REDCap declared it; it can name a file. */
  readonly contentType: string | undefined;
  /** The bytes as they arrive. The stream ends normally only if the answer was complete. */
  readonly body: Readable;
}

/** Any data but a page, and but what PHP writes when it fails. */
const ANY_DATA: ExportForm = {
  ...ANY_TEXT_FORM,
  name: 'data',
  judgeStart: (head, hasEnded) => {
    const start = withoutBlanks(head);
    if (/^(?:<(?:!doctype html|html|head|body|br)\b|your ip address \()/i.test(start)) return 'odd';
    return start === '' && !hasEnded && head.length < 1024 ? 'more' : 'data';
  },
  judgeEnd: (tail) => (isMemoryError(tail) ? outOfMemory() : undefined),
  isBinary: true,
};

/** @see docs/protocol/redcap.md 1.9 (wire) */
const REFUSED_TOKEN = /^You do not have permissions to use the API\b/i;

/** Reads the answer as it is: what REDCap refuses is an answer too, except the token, which is none of its caller's. */
export const AS_FORWARDED: Reading<ForwardedAnswer> = {
  async read(response, limits) {
    const form =
      readFileHead(response.headers) === undefined
        ? ANY_DATA
        : { ...FILE_FORM, judgeStart: () => 'data' as const };
    const contentType = response.headers['content-type'];
    return {
      status: 200,
      contentType,
      body: await AnswerStream.open(toAnswerBody(response), { form, ...limits }),
    };
  },
  readFailure: ({ status, contentType, body, words }) => {
    const isOwn = status < 500 && toErrorBody(body)?.kind === 'error' && !REFUSED_TOKEN.test(words);
    return isOwn
      ? { status, contentType, body: Readable.from([Buffer.from(body)], { objectMode: false }) }
      : undefined;
  },
  streamOf: ({ body }) => body,
};
