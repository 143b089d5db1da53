import { defineInstrument } from '../support/define-instrument.js';
import type { Study } from '../../src/sandbox/redcap/study.js';
import { classicStudy } from '../support/studies.js';

/** A label that means something in each of the languages. */
export const LABEL = 'It\'s "50 % `of` $x" \\ /* && %let; é 漢 😀 <b>bold</b>';

const FIELDS = defineInstrument('values', [
  { name: 'id', type: 'text', label: 'Id' },
  { name: 'whole', type: 'text', label: LABEL, validationType: 'integer' },
  { name: 'decimal', type: 'text', label: 'Decimal', validationType: 'number' },
  { name: 'day', type: 'text', label: 'Day', validationType: 'date_dmy' },
  { name: 'minute', type: 'text', label: 'Minute', validationType: 'datetime_dmy' },
  { name: 'second', type: 'text', label: 'Second', validationType: 'datetime_seconds_ymd' },
  { name: 'hour', type: 'text', label: 'Hour', validationType: 'time' },
  { name: 'yes', type: 'yesno', label: 'Yes' },
  { name: 'whole_codes', type: 'radio', label: 'Codes', choicesOrCalculations: `1, ${LABEL} | -2, Two` },
  { name: 'text_codes', type: 'radio', label: 'Codes', choicesOrCalculations: '01, One | b, Two' },
  { name: 'marks', type: 'checkbox', label: 'Marks', choicesOrCalculations: '1, A | -2, B' },
  { name: 'with', type: 'text', label: 'A word of other languages' },
  { name: 'note', type: 'notes', label: 'Note' },
]);

const TEXTS = [
  'NA',
  'NULL',
  'null',
  'TRUE',
  '007',
  ' 1 ',
  '1,2',
  'a\tb',
  '\\N',
  '\\',
  'é 漢 😀',
  '"',
  "'",
  '""',
  'a\nb',
  '1e5',
  '.',
  '-',
];

/** Returns a study with values that are awkward in one program or another. */
export function awkwardStudy(): Study {
  const numbers = [
    {
      whole: '9007199254740991',
      decimal: '0.1',
      day: '2024-02-29',
      minute: '1999-12-31 23:59',
      second: '2026-11-27 00:00:01',
    },
    {
      whole: '-2147483649',
      decimal: '-1.5e-7',
      day: '1600-01-01',
      minute: '2026-03-29 02:30',
      second: '1970-01-01 00:00:00',
    },
    { whole: '0', decimal: '123456789.123456', hour: '00:00', yes: '0', whole_codes: '-2', marks___1: '1' },
    {
      whole: 'many',
      decimal: '1,5',
      hour: '23:59',
      yes: '1',
      whole_codes: '1',
      text_codes: '01',
      marks____2: '1',
    },
    { whole: '-9', decimal: 'UNK', day: 'UNK', whole_codes: '-9', note: 'UNK' },
  ];
  const texts = TEXTS.map((text) => ({ with: text, note: `${text}${text}`, values_complete: '1' }));
  const base = classicStudy();
  return {
    ...base,
    fields: FIELDS,
    instruments: [{ name: 'values', label: 'Values' }],
    project: { ...base.project, missingDataCodes: 'UNK, Unknown | -9, Not asked' },
    rows: [...numbers, ...texts].map((row, at) => ({ id: `r-${at + 1}`, ...row })),
  };
}
