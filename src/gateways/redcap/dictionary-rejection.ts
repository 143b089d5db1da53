import { BLANK_FIELD } from '../../domain/dictionary/field.js';
import type { FieldProblem } from '../../domain/errors/field-problem.js';
import { isInstrumentName } from '../../domain/identifiers/names.js';

/**
 * Reads why REDCap refused a data dictionary. REDCap writes one sentence per line and names cells as a spreadsheet
 * does: `A2` is the name of the first field. The rules are restated in our own words. Of what was sent, only instrument
 * names are repeated.
 *
 * @returns one entry for each cell or rule, at most 100; empty if no line is recognised
 * @see docs/protocol/redcap.md 2.4 (wire, issue), 18 (choice)
 */
export function toDictionaryProblems(text: string): FieldProblem[] {
  return text.split('\n').flatMap(problemsOf).slice(0, LIMIT);
}

const LIMIT = 100;

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
