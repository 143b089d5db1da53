import type { Request } from 'express';
import { NotAcceptableError } from '../errors/not-acceptable-error.js';
import { UnsupportedMediaTypeError } from '../errors/unsupported-media-type-error.js';

export type RecordFormat = 'json' | 'ndjson' | 'csv';

/** The media types of records, the default first. */
const MEDIA_TYPES: Readonly<Record<string, RecordFormat>> = {
  'application/json': 'json',
  'application/x-ndjson': 'ndjson',
  'text/csv': 'csv',
};

export const RECORD_MEDIA_TYPES: readonly string[] = Object.keys(MEDIA_TYPES);

/** @returns what the caller accepts best; JSON without a preference @throws {NotAcceptableError} none of the three */
export function acceptedFormat(request: Request): RecordFormat {
  const accepted = request.accepts([...RECORD_MEDIA_TYPES]);
  const format = accepted === false ? undefined : MEDIA_TYPES[accepted];
  if (format === undefined) throw new NotAcceptableError(RECORD_MEDIA_TYPES);
  return format;
}

/** @returns the format of the body @throws {UnsupportedMediaTypeError} no media type, or another one */
export function bodyFormat(request: Request): RecordFormat {
  const mediaType = request.is([...RECORD_MEDIA_TYPES]);
  const format = typeof mediaType === 'string' ? MEDIA_TYPES[mediaType] : undefined;
  if (format === undefined) throw new UnsupportedMediaTypeError(RECORD_MEDIA_TYPES);
  return format;
}
