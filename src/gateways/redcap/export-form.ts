import type { CrfError } from '../../domain/errors/crf-error.js';
import { UpstreamUnavailableError } from '../../domain/errors/upstream-errors.js';
import { isMemoryError } from './error-text.js';
import { notAsAsked, outOfMemory } from './classify-answer.js';
import { watchJsonRows, type RowWatch } from './row-watch.js';

/**
 * The verdict on the first bytes of an export: more bytes are needed, it is data, it has no rows, or it is not an
 * export.
 */
export type Verdict = 'more' | 'data' | 'empty' | 'odd';

/** Distinguishes an export from other bodies by its beginning and its end, without parsing what is in between. */
export interface ExportForm {
  /** How error messages name this format. */
  readonly name: string;
  /** @param hasEnded whether `head` is the whole body */
  judgeStart(head: string, hasEnded: boolean): Verdict;
  /**
   * @param tail the last bytes of the body
   * @param hasMarkedEnd whether the framing proves that nothing is missing
   * @returns the error if the end is not that of a complete export
   */
  judgeEnd(tail: string, hasMarkedEnd: boolean): CrfError | undefined;
  /** Follows the rows, so that an answer that is not whole to its last row is not taken for one. */
  readonly watchRows?: () => RowWatch;
  /** Whether the bytes are not text. Text must be UTF-8. */
  readonly isBinary?: boolean;
}

/** A body of any kind, whose text is judged as a whole. */
export const ANY_TEXT_FORM: ExportForm = {
  name: 'text',
  judgeStart: () => 'data',
  judgeEnd: () => undefined,
};

/** A JSON array of flat objects. @see docs/protocol/redcap.md 1.8 (client, wire) */
export const JSON_FORM: ExportForm = {
  name: 'a JSON array of rows',
  judgeStart(head, hasEnded) {
    const start = withoutBlanks(head);
    if (/^\[\s*\{/.test(start)) return 'data';
    if (EMPTY_ARRAY.test(start)) return hasEnded ? 'data' : 'more';
    return !hasEnded && /^(\[\s*)?$/.test(start) ? 'more' : 'odd';
  },
  judgeEnd(tail, hasMarkedEnd) {
    if (/\}\s*\]\s*$/.test(tail) || EMPTY_ARRAY.test(withoutBlanks(tail))) return undefined;
    if (isMemoryError(tail)) return outOfMemory();
    return hasMarkedEnd ? notAsAsked('a whole JSON array') : new UpstreamUnavailableError('body');
  },
  watchRows: watchJsonRows,
};

/** Nothing may come before it or after it. */
const EMPTY_ARRAY = /^\[\s*\]\s*$/;

/** CSV whose header has column names: identifiers, quoted or not. @see docs/protocol/redcap.md 1.8 (wire) */
export const CSV_FORM: ExportForm = {
  name: 'CSV',
  judgeStart(head, hasEnded) {
    const start = withoutBlanks(head);
    if (start === '') return hasEnded ? 'empty' : 'more';
    const [line = ''] = start.split(/\r?\n/, 1);
    const isWholeLine = line.length < start.length;
    if (isWholeLine) return HEADER.test(line) ? 'data' : 'odd';
    if (hasEnded) return HEADER.test(line) && /[,;\t|^]/.test(line) ? 'data' : 'odd';
    // A header can be long. Once enough of it has arrived, its first part is enough to decide.
    if (line.length < JUDGED_HEADER_LENGTH) return PARTIAL_HEADER.test(line) ? 'more' : 'odd';
    return PARTIAL_HEADER.test(line) ? 'data' : 'odd';
  },
  judgeEnd: judgeCsvEnd,
};

/** CSV whose header has field labels, which can be any text, including HTML. */
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

const JUDGED_HEADER_LENGTH = 4096;
const HEADER = /^(?:"[A-Za-z0-9_]+"|[A-Za-z0-9_]+)(?:[,;\t|^](?:"[A-Za-z0-9_]+"|[A-Za-z0-9_]+))*$/;
const PARTIAL_HEADER = /^[A-Za-z0-9_",;\t|^]*\r?$/;
const PAGE_OR_ERROR = /^(?:<(?:!doctype|html|head|body|\?xml|hash|br)|\{"error"|error:|your ip address \()/i;

function judgeCsvEnd(tail: string, hasMarkedEnd: boolean): CrfError | undefined {
  // Inside a CSV value the quotes would be doubled, so data cannot end like this.
  if (/\{"error":"[^"\n]*"\}\s*$/.test(tail))
    return isMemoryError(tail) ? outOfMemory() : notAsAsked('CSV to its end');
  // If only the closed connection marks the end of the body, a truncated body is recognised by its unfinished last
  // line.
  return hasMarkedEnd || /(?:\n|^)$/.test(tail) ? undefined : new UpstreamUnavailableError('body');
}

/** Returns the beginning of a body without a byte order mark and blanks. */
export function withoutBlanks(head: string): string {
  // Heads are decoded as Latin-1, in which a byte order mark is three characters.
  return head.replace(/^\u00EF\u00BB\u00BF/, '').trimStart();
}

/**
 * The bytes of any file. The headers of the answer have already shown that it is a file. The exception is the error
 * that PHP writes when it fails after sending these headers.
 *
 * @see docs/protocol/redcap.md 1.11 (issue)
 */
export const FILE_FORM: ExportForm = {
  name: 'a file',
  judgeStart(head, hasEnded) {
    if (head === '') return 'empty';
    if (PHP_FATAL_ERROR.test(head)) return 'odd';
    return !hasEnded && head.length < JUDGED_LENGTH ? 'more' : 'data';
  },
  judgeEnd: (tail) => (MEMORY_ERROR_AT_END.test(tail) ? outOfMemory() : undefined),
  isBinary: true,
};

const PHP_FATAL_ERROR = /^\s*(?:<br \/>\s*<b>Fatal error<\/b>|\{"error":"REDCap ran out of server memory)/;
const MEMORY_ERROR_AT_END = /\{"error":"REDCap ran out of server memory[^"]{0,200}"\}\s*$/;
/** The number of bytes after which a file is accepted. A shorter one is judged at its end. */
const JUDGED_LENGTH = 64;

/** An answer without a file name, which is read only for the error it contains. */
export const NO_FILE_FORM: ExportForm = {
  name: 'a file',
  judgeStart: () => 'odd',
  judgeEnd: () => undefined,
  isBinary: true,
};

/** @see docs/protocol/redcap.md 11.4 (client): the body begins with `%PDF` */
export const PDF_FORM: ExportForm = {
  name: 'a PDF document',
  judgeStart(head, hasEnded) {
    if (head.startsWith(PDF_START)) return 'data';
    return !hasEnded && PDF_START.startsWith(head) ? 'more' : 'odd';
  },
  judgeEnd(tail, hasMarkedEnd) {
    // A document ends with this mark, but some writers append a few bytes.
    if (tail.includes('%%EOF')) return undefined;
    return endOf(tail, hasMarkedEnd, 'a whole PDF document');
  },
  isBinary: true,
};

const PDF_START = '%PDF-';

/** A project as ODM. An XML error has the same first line. @see docs/protocol/redcap.md 9.8, 1.9 (client) */
export const PROJECT_XML_FORM: ExportForm = {
  name: 'a project in XML',
  judgeStart(head, hasEnded) {
    const start = withoutBlanks(head);
    const body = start.replace(XML_PROLOG, '');
    if (/^<ODM[\s>]/.test(body)) return 'data';
    const mayBecome = '<?xml'.startsWith(start.slice(0, 5)) || (start.startsWith('<?xml') && body === start);
    const isOpen = mayBecome || body === '' || '<ODM '.startsWith(body);
    return !hasEnded && isOpen && start.length < MAX_PROLOG_LENGTH ? 'more' : 'odd';
  },
  judgeEnd(tail, hasMarkedEnd) {
    return /<\/ODM>\s*$/.test(tail) ? undefined : endOf(tail, hasMarkedEnd, 'a whole project in XML');
  },
};

const XML_PROLOG = /^<\?xml[^>]{0,200}\?>\s*/;
const MAX_PROLOG_LENGTH = 1024;

function endOf(tail: string, hasMarkedEnd: boolean, what: string): ReturnType<ExportForm['judgeEnd']> {
  if (isMemoryError(tail)) return outOfMemory();
  return hasMarkedEnd ? notAsAsked(what) : new UpstreamUnavailableError('body');
}
