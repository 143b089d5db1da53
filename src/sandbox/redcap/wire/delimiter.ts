import type { Parameters } from './parameters.js';

const DELIMITERS: ReadonlyMap<string, string> = new Map([
  ['', ','],
  [',', ','],
  ['tab', '\t'],
  ['\t', '\t'],
  [';', ';'],
  ['|', '|'],
  ['^', '^'],
]);

/** The delimiter of CSV that a call asks for; a comma for anything unknown. @see docs/protocol/redcap.md 4.1 (doc) */
export function delimiterOf(parameters: Parameters): string {
  return DELIMITERS.get(parameters.text('csvDelimiter')) ?? ',';
}
