import { TEXT_ENCODINGS } from '../../domain/bytes/decode-text.js';
import { type Period, ServerTime } from '../../domain/dictionary/server-time.js';
import { readIdList } from '../../domain/identifiers/id-list.js';
import { choice, flag, needed, text, value } from './option.js';

/** `--json` of a command that prints text otherwise. */
export const JSON_OPTION = {
  json: flag('Print one JSON document'),
} as const;

/** `--json` of a command that prints messages beside it. */
export const JSON_ON_STDOUT = {
  json: flag('Print one JSON document on stdout'),
} as const;

/** `--json` and `--csv` of a command that prints rows, as a table by default. */
export const ROW_OPTIONS = {
  ...JSON_OPTION,
  csv: flag('Print CSV'),
} as const;

/** `--encoding` of a command that reads a text file. */
export const ENCODING_OPTION = {
  encoding: choice('Text encoding of the file; default: utf-8', TEXT_ENCODINGS),
} as const;

/** `--yes` of a command that asks for confirmation before an irreversible change. */
export const YES = {
  yes: flag('Do not ask for confirmation; required without a terminal', { alias: 'y' }),
} as const;

/** `--from` and `--until` of a command. @param what what the period is of: `Only entries` */
export function periodOptions(what: string, zone = "in the time of REDCap's server") {
  return {
    from: value(
      `${what} from this time on: a day, a moment or as long ago, as in 2026-01-31, "2026-01-31 08:30" or 24h`,
    ),
    until: value(`${what} up to this time, or the end of this day, ${zone}`),
  } as const;
}

/** Reads `--from` and `--until`. Without a known time zone of REDCap's server, that of this machine is assumed. */
export function periodOf(period: Period, zone = Intl.DateTimeFormat().resolvedOptions().timeZone): Period {
  return new ServerTime(zone).periodOf(period, { from: '--from', until: '--until' });
}

/** `--dry-run` of a command that changes the design, or users. */
export const DRY_RUN = {
  'dry-run': flag('Check everything, send nothing, and say what would change'),
} as const;

/** `--output` of a command whose file appears when it is complete. @param what the command writes: `export` */
export function completeFileOption(what: 'export' | 'report' | 'document') {
  return value(`Write to this file; it appears when the ${what} is complete`, { alias: 'o' });
}

/** `--output` and `--force` of a command that saves a file of REDCap under its own name. */
export function savedFileOptions(what: 'file' | 'document') {
  return {
    output: value(`Write to this file, or to stdout (-); default: the name of the ${what}, in this folder`, {
      alias: 'o',
    }),
    force: flag('Replace a file of this name'),
  } as const;
}

/**
 * Reads a list: `--fields a b`, `--fields a,b` and `--fields a --fields b` are the same.
 *
 * @returns undefined if not given
 */
export function toList(values: readonly string[] | undefined): string[] | undefined {
  return values
    ?.flatMap((value) => value.split(','))
    .map((value) => value.trim())
    .filter((value) => value !== '');
}

/** Refuses empty options, so that they never turn into an export of everything. @throws {Error} an option is empty */
export function refuseBlanks(
  lists: Readonly<Record<string, readonly string[] | undefined>>,
  filterLogic?: string,
): void {
  for (const [name, values] of Object.entries(lists)) {
    if (toList(values)?.length === 0)
      throw new Error(`--${name} is empty: name at least one, or leave the option out for all`);
  }
  if (filterLogic?.trim() === '')
    throw new Error('--filter-logic is blank: leave the option out for all records');
}

/**
 * Reads a list of IDs: `--records a b` and `--records a --records b` are the same. Commas do not separate, since an ID
 * may contain one. A single value in quotes is read as a line of CSV: `--records '"a","b, c"'`.
 *
 * @returns undefined if not given
 */
export function toIds(values: readonly string[] | undefined): string[] | undefined {
  return values && readIdList('records', values).filter((value) => value.trim() !== '');
}

/** The largest number of 32 bits, in which REDCap keeps its numbers of arms, reports and files. */
export const MAX_INTEGER = 2_147_483_647;

/** The largest repeat instance, as in the REST API. */
export const MAX_INSTANCE = 99_999;

/** @returns whether an option is a whole number from 1 to a maximum */
export function isWholeNumber(value: unknown, maximum: number): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= maximum;
}

/**
 * Checks the numbers of a command. One that is not given passes.
 *
 * @param values the options and positional arguments, as yargs parsed them
 * @param maxima the largest value of each, by the name that the user types: `--instance`, `id`
 * @throws {Error} what the command line shows, for the first that is not a whole number from 1 to its maximum
 */
export function checkWholeNumbers(values: object, maxima: Readonly<Record<string, number>>): void {
  for (const [shown, maximum] of Object.entries(maxima)) {
    const value = (values as Readonly<Record<string, unknown>>)[shown.replace(/^--/, '')];
    if (value === undefined || isWholeNumber(value, maximum)) continue;
    // Nobody types a number near the bound of 32 bits, so the sentence is shorter without it.
    const bound = maximum === MAX_INTEGER ? '' : ` to ${maximum}`;
    throw new Error(`${shown} must be a whole number from 1${bound}`);
  }
}

/** The file to upload, and its name and media type, of a command that stores one. */
export const uploadOptions = {
  file: needed('The file; - for stdin'),
  'file-name': text('Name in REDCap; default: that of the file'),
  'media-type': text('Media type; default: from the file extension'),
} as const;

/** `--as` and `--policy` of a command that can show what a caller of the service sees. */
export const asOptions = {
  as: value('Only what this caller of the service sees under its policy: key:NAME or session:ADDRESS'),
  policy: value('The policy file for --as; by default POLICY_FILE'),
} as const;
