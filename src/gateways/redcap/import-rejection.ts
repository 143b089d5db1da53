import { BLANK_FIELD } from '../../domain/dictionary/field.js';
import type { FieldProblem, RecordProblem } from '../../domain/errors/field-problem.js';
import { isInstrumentName } from '../../domain/identifiers/names.js';
import { safeWording } from './safe-wording.js';

/**
 * Reads why REDCap refused a data dictionary. REDCap writes one sentence per line and names cells as a spreadsheet
 * does: `A2` is the name of the first field. The rules are restated in our own words. Of what was sent, only instrument
 * names are repeated.
 *
 * @returns one entry for each cell or rule, at most 100; empty if no line is recognised
 * @see docs/protocol/redcap.md 2.4 (wire, issue), 18 (choice)
 */
export function toDictionaryProblems(text: string): FieldProblem[] {
  return text.split('\n').flatMap(problemsOf).slice(0, MAX_FIELD_PROBLEMS);
}

const MAX_FIELD_PROBLEMS = 100;

interface Sentence {
  readonly pattern: RegExp;
  readonly rule: string;
  /** The subject of the rule when the line names no cell. */
  readonly field?: string;
}

const SENTENCES: readonly Sentence[] = [
  { pattern: /MUST have a variable\/field name/i, rule: 'is missing' },
  { pattern: /MUST have a form name/i, rule: 'is missing' },
  {
    pattern: /validation type is required in order to have a minimum or maximum/i,
    rule: 'needs a validation type',
  },
  { pattern: /field names were duplicated/i, rule: 'must not be that of another field' },
  {
    pattern: /Form names must be sequential/i,
    rule: 'must keep the fields of an instrument together',
  },
  {
    pattern: /only valid field types are/i,
    rule: 'must have types that REDCap knows: text, notes, radio, dropdown, calc, file, checkbox, yesno, truefalse, descriptive or slider',
  },
  { pattern: /names that are not valid/i, rule: 'is not a valid name' },
  {
    pattern: /first field must be a text field/i,
    rule: 'must be text: the first field holds the record ID',
    field: 'fields[0].type',
  },
];

/**
 * The columns of the dictionary, in the order of their letters.
 *
 * @see docs/protocol/redcap.md 8.1 (wire): their order
 */
const COLUMNS = Object.keys(BLANK_FIELD);

function problemsOf(line: string): FieldProblem[] {
  const sentence = SENTENCES.find(({ pattern }) => pattern.test(line));
  const cells = [...line.matchAll(/\b([A-R])([1-9]\d{0,5})\b/g)];
  // Even an unknown sentence names the cells.
  const rule = sentence?.rule ?? 'was refused by REDCap';
  if (cells.length > 0) {
    return cells.map(([cell, letter = 'A', row = '2']) => ({
      field: `fields[${Math.max(0, Number(row) - 2)}].${COLUMNS[letter.charCodeAt(0) - 65] ?? 'name'}`,
      message: `${rule} (cell ${cell})`,
    }));
  }
  if (sentence === undefined) return [];
  const [, instrument = ''] = /sequential and cannot repeat: (\S+)$/.exec(line.trim()) ?? [];
  const named = isInstrumentName(instrument) ? `: ${instrument}` : '';
  return [{ field: sentence.field ?? 'fields', message: `${sentence.rule}${named}` }];
}

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
  for (
    let line = LINE.exec(text);
    line !== null && problems.length < MAX_RECORD_PROBLEMS;
    line = LINE.exec(text)
  ) {
    const [, record = '', field = '', , message = ''] = line;
    problems.push({
      ...(record !== '' && { record: unquoted(record) }),
      field: unquoted(field),
      message: toRule(unquoted(message), field),
    });
  }
  return problems;
}

const MAX_RECORD_PROBLEMS = 10_000;
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
