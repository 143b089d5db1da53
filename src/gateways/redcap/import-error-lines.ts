import type { RecordProblem } from '../../domain/errors/field-problem.js';
import { safeWording } from './safe-wording.js';

/**
 * Reads REDCap's error lines for invalid cells. Each has four quoted cells: `record`, `field`, `value` and `message`.
 * The value is dropped, and the message becomes a rule in our own words, or in REDCap's as far as they are no values.
 *
 * @returns one entry per invalid cell, at most 10,000; empty if the text is something else
 * @see docs/protocol/redcap.md 5.5 (wire, client)
 */
export function toRecordProblems(text: string): RecordProblem[] {
  const problems: RecordProblem[] = [];
  LINE.lastIndex = 0;
  for (let line = LINE.exec(text); line !== null && problems.length < LIMIT; line = LINE.exec(text)) {
    const [, record = '', field = '', , message = ''] = line;
    problems.push({
      ...(record !== '' && { record: unquoted(record) }),
      field: unquoted(field),
      message: toRule(unquoted(message), field),
    });
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
  [
    /does not exist on the Repeating Instrument/i,
    'belongs to another instrument than the repeating one of its row',
  ],
  [
    /Data Access Group to which you do not have access/i,
    "belongs to a record of a data access group in which the token's user is not",
  ],
  [/form that is locked/i, 'belongs to a locked instrument: unlock it in REDCap first'],
];

function toRule(message: string, field: string): string {
  if (field === 'redcap_data_access_group' && /not a valid category/i.test(message)) return OTHER_GROUP;
  const rule = RULES.find(([pattern]) => pattern.test(message))?.[1];
  if (rule !== undefined) return rule;
  const wording = safeWording(message);
  return wording === undefined ? 'was refused by REDCap' : `was refused by REDCap, saying "${wording}"`;
}

const OTHER_GROUP =
  "must be the unique name of a data access group of the project, and the token's user in no group";
