import type { RecordProblem } from '../../errors/field-problem.js';

/**
 * Reads REDCap's error lines for invalid cells. Each has four quoted cells: `record`, `field`, `value` and `message`.
 * The value is dropped, and the message becomes a rule in our own words.
 *
 * @returns one entry per invalid cell, at most 10,000; empty if the text is something else
 * @see docs/protocol/redcap.md 5.5 (wire, client)
 */
export function toRecordProblems(text: string): RecordProblem[] {
  const problems: RecordProblem[] = [];
  LINE.lastIndex = 0;
  for (let line = LINE.exec(text); line !== null && problems.length < LIMIT; line = LINE.exec(text)) {
    const [, record = '', field = '', , message = ''] = line;
    problems.push({ record: unquoted(record), field: unquoted(field), message: toRule(message) });
  }
  return problems;
}

const LIMIT = 10_000;
// Sticky: unless the lines follow each other without a gap, the text is not a list of error lines.
const LINE = /"((?:[^"]|"")*)","((?:[^"]|"")*)","((?:[^"]|"")*)","((?:[^"]|"")*)"[ \t\r]*(?:\n|$)/y;

function unquoted(cell: string): string {
  return cell.replaceAll('""', '"');
}

/**
 * Patterns for the stable parts of REDCap's sentences, and our wording. REDCap's sentences can contain labels and
 * values.
 */
const RULES: readonly (readonly [pattern: RegExp, rule: string])[] = [
  [/not a valid category/i, 'must be the code of one of the choices'],
  [/could not be validated|does not follow the expected format/i, 'does not have the format of the field'],
  [/not designated for the event/i, 'belongs to an instrument that is not part of this event'],
  [/unique form name of a Repeating Instrument/i, 'must be the unique name of a repeating instrument'],
  [
    /redcap_repeat_instance cannot have a value/i,
    'must be empty: neither the instrument nor the event repeats',
  ],
  [
    /exists on a Repeating Instrument/i,
    'belongs to a repeating instrument: give redcap_repeat_instrument and redcap_repeat_instance',
  ],
  [/form that is locked/i, 'belongs to a locked instrument: unlock it in REDCap first'],
];

function toRule(message: string): string {
  return RULES.find(([pattern]) => pattern.test(message))?.[1] ?? 'was refused by REDCap';
}
