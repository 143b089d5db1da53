import { UpstreamUnavailableError } from '../../errors/upstream-errors.js';
import { notAsAsked, outOfMemory } from './classify-answer.js';
import { isMemoryError } from './error-text.js';
import type { ExportForm } from './export-form.js';

/**
 * The bytes of a file, whatever they are: that they are a file was seen in the head of the answer. Only what PHP writes
 * when it dies behind such a head is none.
 *
 * @see docs/protocol/redcap.md 1.11 (issue)
 */
export const FILE_FORM: ExportForm = {
  name: 'a file',
  judgeStart(head, hasEnded) {
    if (head === '') return 'empty';
    if (DEATH_OF_PHP.test(head)) return 'odd';
    return !hasEnded && head.length < ENOUGH_TO_TELL ? 'more' : 'data';
  },
  judgeEnd: (tail) => (LAST_WORDS.test(tail) ? outOfMemory() : undefined),
};

const DEATH_OF_PHP = /^\s*(?:<br \/>\s*<b>Fatal error<\/b>|\{"error":"REDCap ran out of server memory)/;
const LAST_WORDS = /\{"error":"REDCap ran out of server memory[^"]{0,200}"\}\s*$/;
/** A file of fewer bytes is checked at its end; one that arrives slowly waits for no more. */
const ENOUGH_TO_TELL = 64;

/** An answer without the name of a file: it is read for the error in it. */
export const NO_FILE_FORM: ExportForm = {
  name: 'a file',
  judgeStart: () => 'odd',
  judgeEnd: () => undefined,
};

/** @see docs/protocol/redcap.md 11.4 (client): the body begins `%PDF` */
export const PDF_FORM: ExportForm = {
  name: 'a PDF document',
  judgeStart(head, hasEnded) {
    if (head.startsWith(PDF_START)) return 'data';
    return !hasEnded && PDF_START.startsWith(head) ? 'more' : 'odd';
  },
  judgeEnd(tail, hasMarkedEnd) {
    // A document ends with this mark, but for a few bytes that some writers put behind it.
    if (tail.includes('%%EOF')) return undefined;
    return endOf(tail, hasMarkedEnd, 'a whole PDF document');
  },
};

const PDF_START = '%PDF-';

/** A project as ODM, which an error in XML resembles in its first line. @see docs/protocol/redcap.md 9.8, 1.9 (client) */
export const PROJECT_XML_FORM: ExportForm = {
  name: 'a project in XML',
  judgeStart(head, hasEnded) {
    const start = head.replace(/^\u00EF\u00BB\u00BF/, '').trimStart();
    const body = start.replace(XML_PROLOG, '');
    if (/^<ODM[\s>]/.test(body)) return 'data';
    const mayBecome = '<?xml'.startsWith(start.slice(0, 5)) || (start.startsWith('<?xml') && body === start);
    const isOpen = mayBecome || body === '' || '<ODM '.startsWith(body);
    return !hasEnded && isOpen && start.length < ENOUGH_OF_A_PROLOG ? 'more' : 'odd';
  },
  judgeEnd(tail, hasMarkedEnd) {
    return /<\/ODM>\s*$/.test(tail) ? undefined : endOf(tail, hasMarkedEnd, 'a whole project in XML');
  },
};

const XML_PROLOG = /^<\?xml[^>]{0,200}\?>\s*/;
const ENOUGH_OF_A_PROLOG = 1024;

function endOf(tail: string, hasMarkedEnd: boolean, what: string): ReturnType<ExportForm['judgeEnd']> {
  if (isMemoryError(tail)) return outOfMemory();
  return hasMarkedEnd ? notAsAsked(what) : new UpstreamUnavailableError('body');
}
