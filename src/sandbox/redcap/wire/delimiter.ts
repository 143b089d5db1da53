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

/** Returns the CSV delimiter of a call; a comma if the given one is unknown. @see docs/protocol/redcap.md 4.1 (doc) */
export function delimiterOf(parameters: Parameters): string {
  return DELIMITERS.get(parameters.text('csvDelimiter')) ?? ',';
}
