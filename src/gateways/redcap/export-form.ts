import type { CrfError } from '../../errors/crf-error.js';
import { UpstreamUnavailableError } from '../../errors/upstream-errors.js';
import { isMemoryError } from './error-text.js';
import { notAsAsked, outOfMemory } from './classify-answer.js';

/** What the first bytes of an export say: wait for more, data, no rows at all, or something that is no export. */
export type Verdict = 'more' | 'data' | 'empty' | 'odd';

/** How to tell an export from anything else by its two ends, without parsing what is between them. */
export interface ExportForm {
  /** What to call it in a sentence. */
  readonly name: string;
  /** @param hasEnded whether `head` is the whole body */
  judgeStart(head: string, hasEnded: boolean): Verdict;
  /**
   * @param tail the last bytes of the body
   * @param hasMarkedEnd whether the framing proves that nothing is missing
   * @returns what is wrong with the end of an export, if anything is
   */
  judgeEnd(tail: string, hasMarkedEnd: boolean): CrfError | undefined;
}

/** A JSON array of flat objects. @see docs/protocol/redcap.md 1.8 (client, wire) */
export const JSON_FORM: ExportForm = {
  name: 'a JSON array of rows',
  judgeStart(head, hasEnded) {
    const start = withoutBlanks(head);
    if (/^\[\s*[{\]]/.test(start)) return 'data';
    return !hasEnded && /^(\[\s*)?$/.test(start) ? 'more' : 'odd';
  },
  judgeEnd(tail, hasMarkedEnd) {
    if (/[}[]\s*\]\s*$/.test(tail)) return undefined;
    if (isMemoryError(tail)) return outOfMemory();
    return hasMarkedEnd ? notAsAsked('a whole JSON array') : new UpstreamUnavailableError('body');
  },
};

/** CSV whose header has the names of columns: identifiers, quoted or not. @see docs/protocol/redcap.md 1.8 (wire) */
export const CSV_FORM: ExportForm = {
  name: 'CSV',
  judgeStart(head, hasEnded) {
    const start = withoutBlanks(head);
    if (start === '') return hasEnded ? 'empty' : 'more';
    const [line = ''] = start.split(/\r?\n/, 1);
    const isWholeLine = line.length < start.length;
    if (isWholeLine) return HEADER.test(line) ? 'data' : 'odd';
    if (hasEnded) return HEADER.test(line) && /[,;\t|^]/.test(line) ? 'data' : 'odd';
    // A header may be long: the cells that are whole decide once there are a few.
    if (line.length < ENOUGH_OF_A_HEADER) return HEADER_SO_FAR.test(line) ? 'more' : 'odd';
    return HEADER_SO_FAR.test(line) ? 'data' : 'odd';
  },
  judgeEnd: judgeCsvEnd,
};

/** CSV whose header has the labels of fields, which may be any text, HTML included. */
export const CSV_LABEL_FORM: ExportForm = {
  name: 'CSV',
  judgeStart(head, hasEnded) {
    const start = withoutBlanks(head);
    if (start === '') return hasEnded ? 'empty' : 'more';
    if (PAGE_OR_ERROR.test(start)) return 'odd';
    return start.length < 16 && !hasEnded ? 'more' : 'data';
  },
  judgeEnd: judgeCsvEnd,
};

const ENOUGH_OF_A_HEADER = 4096;
const HEADER = /^(?:"[A-Za-z0-9_]+"|[A-Za-z0-9_]+)(?:[,;\t|^](?:"[A-Za-z0-9_]+"|[A-Za-z0-9_]+))*$/;
const HEADER_SO_FAR = /^[A-Za-z0-9_",;\t|^]*\r?$/;
const PAGE_OR_ERROR = /^(?:<(?:!doctype|html|head|body|\?xml|hash|br)|\{"error"|error:)/i;

function judgeCsvEnd(tail: string, hasMarkedEnd: boolean): CrfError | undefined {
  // Inside a value the quotes would be doubled: data cannot end so.
  if (/\{"error":"[^"\n]*"\}\s*$/.test(tail))
    return isMemoryError(tail) ? outOfMemory() : notAsAsked('CSV to its end');
  // Where only the close of the connection ends the body, a cut shows by the line it leaves unfinished.
  return hasMarkedEnd || /(?:\n|^)$/.test(tail) ? undefined : new UpstreamUnavailableError('body');
}

function withoutBlanks(head: string): string {
  // Heads are read as Latin-1, in which a byte order mark is three characters.
  return head.replace(/^\u00EF\u00BB\u00BF/, '').trimStart();
}
