import type { Request } from 'express';
import { NotAcceptableError, UnsupportedMediaTypeError } from '../errors/caller-errors.js';
import { ROW_FORMATS, type RowFormat } from '../services/row-output/row-format.js';

/** The media types of records, the default first. */
const MEDIA_TYPES: Readonly<Record<string, RowFormat>> = {
  'application/json': 'json',
  'application/x-ndjson': 'ndjson',
  'text/csv': 'csv',
};

export const RECORD_MEDIA_TYPES: readonly string[] = Object.keys(MEDIA_TYPES);

/** @returns what the caller accepts best; JSON without a preference @throws {NotAcceptableError} none of the three */
export function acceptedFormat(request: Request): RowFormat {
  return acceptedOf(request, ROW_FORMATS);
}

/** @returns which of some formats the caller accepts best @throws {NotAcceptableError} none of them */
export function acceptedOf<Format extends RowFormat>(request: Request, formats: readonly Format[]): Format {
  const types = RECORD_MEDIA_TYPES.filter((type) => formats.some((format) => MEDIA_TYPES[type] === format));
  const accepted = request.accepts([...types]);
  const format = formats.find((name) => accepted !== false && MEDIA_TYPES[accepted] === name);
  if (format === undefined) throw new NotAcceptableError(types);
  return format;
}

/** How an export is written. */
export interface ExportForm {
  readonly format: RowFormat;
  readonly spreadsheetSafe: boolean;
  /** Where a person's browser is to save a file. */
  readonly fileName: string | undefined;
}

/**
 * How an export is written: as `format` says, or else `Accept`. CSV that a person's browser downloads is safe for
 * spreadsheets unless `spreadsheetSafe` says no; a program gets REDCap's own bytes (STR-05).
 *
 * @param name what a downloaded file is called, without its extension
 * @throws {NotAcceptableError} neither names one of the three
 */
export function exportForm(
  request: Request,
  query: { readonly format?: RowFormat; readonly spreadsheetSafe?: boolean },
  name = 'records',
): ExportForm {
  const format = query.format ?? acceptedFormat(request);
  const isDownload = isNavigation(request);
  return {
    format,
    spreadsheetSafe: query.spreadsheetSafe ?? (isDownload && format === 'csv'),
    fileName: isDownload && query.format !== undefined ? `${name}.${format}` : undefined,
  };
}

/** Whether a browser asks for a page of its own; one that does not say so asks for HTML. */
function isNavigation({ headers }: Request): boolean {
  const mode = headers['sec-fetch-mode'];
  if (mode !== undefined) return mode === 'navigate';
  return /\btext\/html\b/i.test(headers.accept ?? '');
}

/** @returns the format of the body @throws {UnsupportedMediaTypeError} no media type, or another one */
export function bodyFormat(request: Request): RowFormat {
  const mediaType = request.is([...RECORD_MEDIA_TYPES]);
  const format = typeof mediaType === 'string' ? MEDIA_TYPES[mediaType] : undefined;
  if (format === undefined) throw new UnsupportedMediaTypeError(RECORD_MEDIA_TYPES);
  return format;
}
