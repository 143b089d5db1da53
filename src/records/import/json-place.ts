import { byteTable } from '../../buffers/byte-table.js';

/** Where a `JsonParser` is in its input: what it has read last, or what it expects next. */
export type Place =
  | 'start'
  | 'first name'
  | 'next name'
  | 'name'
  | 'colon'
  | 'value'
  | 'scalar'
  | 'misfits'
  | 'after value'
  | 'first record'
  | 'record'
  | 'after record'
  | 'next record'
  | 'end';

const [QUOTE, COMMA, COLON] = [0x22, 0x2c, 0x3a];
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * By place: the bytes that may follow, and where they lead. Empty for places inside a token, which is read by its own
 * rules. A bare list of records differs at its start and its end.
 */
const NEXT_PLACE: Readonly<Record<Place, Readonly<Partial<Record<number, Place>>>>> = {
  start: { [OPEN_BRACE]: 'first name' },
  'first name': { [QUOTE]: 'name', [CLOSE_BRACE]: 'end' },
  'next name': { [QUOTE]: 'name' },
  name: {},
  colon: { [COLON]: 'value' },
  value: {},
  scalar: {},
  misfits: {},
  'after value': { [COMMA]: 'next name', [CLOSE_BRACE]: 'end' },
  'first record': { [OPEN_BRACE]: 'record', [CLOSE_BRACKET]: 'after value' },
  record: {},
  'after record': { [COMMA]: 'next record', [CLOSE_BRACKET]: 'after value' },
  'next record': { [OPEN_BRACE]: 'record' },
  end: {},
};

/** @param isList whether the input is a bare list of records @returns undefined if the byte must not be there */
export function placeAfter(place: Place, byte: number, isList: boolean): Place | undefined {
  if (place === 'start' && byte === OPEN_BRACKET) return 'first record';
  if (isList && place === 'after record' && byte === CLOSE_BRACKET) return 'end';
  return NEXT_PLACE[place][byte];
}

/** The bytes that end a value other than a string. */
export const ENDS_SCALAR = byteTable(Buffer.from(' \t\n\r,}'));
