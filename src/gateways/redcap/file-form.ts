import { UpstreamUnavailableError } from '../../domain/errors/upstream-errors.js';
import { notAsAsked, outOfMemory } from './classify-answer.js';
import { isMemoryError } from './error-text.js';
import { withoutBlanks, type ExportForm } from './export-form.js';

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
