import type { Request } from 'express';
import { ProblemError } from '../domain/errors/problem-error.js';
import { ROW_FORMATS, type RowFormat } from '../records/formats/row-format.js';

/** The media types of records, the default first. */
const MEDIA_TYPES: Readonly<Record<string, RowFormat>> = {
  'application/json': 'json',
  'application/x-ndjson': 'ndjson',
  'text/csv': 'csv',
};

export const RECORD_MEDIA_TYPES: readonly string[] = Object.keys(MEDIA_TYPES);

/**
 * Returns the format that the caller prefers, or JSON without a preference.
 * @throws {ProblemError} `not_acceptable`: the caller accepts none of the three
 */
export function acceptedFormat(request: Request): RowFormat {
  return acceptedOf(request, ROW_FORMATS);
}

/**
 * Returns the format that the caller prefers among the given ones.
 * @throws {ProblemError} `not_acceptable`: the caller accepts none of them
 */
export function acceptedOf<Format extends RowFormat>(request: Request, formats: readonly Format[]): Format {
  const types = RECORD_MEDIA_TYPES.filter((type) => formats.some((format) => MEDIA_TYPES[type] === format));
  const accepted = request.accepts([...types]);
  const format = formats.find((name) => accepted !== false && MEDIA_TYPES[accepted] === name);
  if (format === undefined) throw new ProblemError('not_acceptable', { available: types });
  return format;
}

/** The format of rows that a link in a browser asks for. */
export interface FormatQuery {
  /** The format, in place of `Accept`: for links in a browser, which cannot set that header. */
  readonly format?: RowFormat;
}

/** How rows are written. */
export interface RowsQuery {
  /**
   * NDJSON only: adds a last line `{"_complete":true,"records":N}`, which shows that the answer is complete: `records` is
   * the number of lines before it. It also has what follows the rows in JSON, unless that is `next`.
   */
  readonly trailer?: boolean;
  /**
   * CSV only: puts an apostrophe before cells that a spreadsheet would treat as formulas; plain numbers are unchanged.
   * On by default when a browser downloads the CSV.
   */
  readonly spreadsheetSafe?: boolean;
}

/** How rows are written for a link in a browser too. */
export interface DownloadQuery extends FormatQuery, RowsQuery {}

/** The form in which an export is written. */
export interface ExportForm {
  readonly format: RowFormat;
  readonly spreadsheetSafe: boolean;
  /** The name under which a browser saves the export, if it is a download. */
  readonly fileName: string | undefined;
}

/**
 * Returns how to write an export: in the format of the `format` parameter, or else of `Accept`. CSV downloaded by a
 * browser is made safe for spreadsheets unless `spreadsheetSafe` is false; a program gets REDCap's own bytes (STR-05).
 *
 * @param name the name of a downloaded file, without its extension
 * @throws {ProblemError} `not_acceptable`: neither names one of the three formats
 */
export function exportForm(request: Request, query: DownloadQuery, name = 'records'): ExportForm {
  const format = query.format ?? acceptedFormat(request);
  const isDownload = isNavigation(request);
  return {
    format,
    spreadsheetSafe: query.spreadsheetSafe ?? (isDownload && format === 'csv'),
    fileName: isDownload && query.format !== undefined ? `${name}.${format}` : undefined,
  };
}

/** Whether a browser navigates to the resource. Without `Sec-Fetch-Mode`, a request that accepts HTML counts as one. */
function isNavigation({ headers }: Request): boolean {
  const mode = headers['sec-fetch-mode'];
  if (mode !== undefined) return mode === 'navigate';
  return /\btext\/html\b/i.test(headers.accept ?? '');
}

/** The media types of an import, which may be a workbook. */
const IMPORT_TYPES: Readonly<Record<string, RowFormat | 'xlsx'>> = {
  ...MEDIA_TYPES,
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
};

/**
 * Returns the format of the body of an import.
 * @throws {ProblemError} `unsupported_media_type`: the media type is missing or unsupported
 */
export function importFormat(request: Request): RowFormat | 'xlsx' {
  return formatOf(request, IMPORT_TYPES);
}

/**
 * Returns the format of a data dictionary in the body.
 * @throws {ProblemError} `unsupported_media_type`: the media type is missing or unsupported
 */
export function dictionaryFormat(request: Request): 'json' | 'csv' {
  return formatOf(request, { 'application/json': 'json', 'text/csv': 'csv' });
}

function formatOf<Format>(request: Request, formats: Readonly<Record<string, Format>>): Format {
  const types = Object.keys(formats);
  const mediaType = request.is(types);
  const format = typeof mediaType === 'string' ? formats[mediaType] : undefined;
  if (format === undefined) throw new ProblemError('unsupported_media_type', { supported: types });
  return format;
}
