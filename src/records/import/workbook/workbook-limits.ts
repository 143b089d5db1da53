import { say, type Sentence, type WorkbookPart } from '../../../domain/errors/sentences.js';
import type { RowPlace } from '../input-item.js';

/** What a workbook may have. */
export interface WorkbookLimits {
  readonly bytes: number;
  /** The size of the XML of all its sheets together, and of the texts of the sheet that is read. */
  readonly unpackedBytes: number;
  /** The number of cells in the rectangle of a sheet that holds all values. */
  readonly cells: number;
  /** The memory of the thread that reads it. */
  readonly heapMegabytes: number;
  readonly seconds: number;
}

export const MIB = 1024 * 1024;

/** The limits of a command. */
export const COMMAND_LIMITS: WorkbookLimits = {
  bytes: 20 * MIB,
  unpackedBytes: 100 * MIB,
  cells: 10_000_000,
  heapMegabytes: 900,
  seconds: 300,
};

/** The limits of a service, whose memory is for many: with them, 35,000 rows of ten columns (2 MB) can be read. */
export const SERVICE_LIMITS: WorkbookLimits = {
  bytes: 2 * MIB,
  unpackedBytes: 32 * MIB,
  cells: 1_000_000,
  heapMegabytes: 160,
  seconds: 60,
};

/** Half of the rows that a sheet of Excel has. */
export const MAX_ROWS = 500_000;

/**
 * What no spreadsheet exceeds. A text has at most 32,767 characters in Excel and 65,535 in LibreOffice, a number format
 * 255, a name of an element or an attribute a few dozen.
 */
export const BOUNDS = {
  entries: 10_000,
  levels: 64,
  attributes: 128,
  name_characters: 255,
  markup_bytes: 512 * 1024,
  text_characters: 65_535,
  format_characters: 255,
} as const satisfies Partial<Record<WorkbookPart, number>>;

/** The rule that a workbook breaks. It is thrown in the thread that reads it, and told to the other one. */
export class WorkbookRefusal extends Error {
  /** @param place the row that breaks it; undefined for the whole workbook */
  constructor(
    readonly rule: Sentence,
    readonly place?: RowPlace,
  ) {
    super(rule.message);
  }
}

/** @throws {WorkbookRefusal} there is more of it than a spreadsheet has */
export function refuseBeyond(what: WorkbookPart, count: number, most: number): void {
  if (count > most) throw new WorkbookRefusal(say('workbook_beyond', { what, most }));
}
