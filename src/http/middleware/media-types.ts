import type { NextFunction, Request, Response } from 'express';
import { ProblemError } from '../../domain/errors/problem-error.js';
import { requestState } from '../request-state.js';

/**
 * Checks `Accept` and `Content-Type` against the document. Refuses with 406 if the caller accepts none of the route's
 * media types, and with 415 if the route does not read the body's media type or charset, or if a streamed body is
 * compressed.
 */
export function mediaTypes(request: Request, _response: Response, next: NextFunction): void {
  const operation = requestState(request).operation;
  if (operation === undefined) return next();

  const { answerTypes, bodyTypes } = operation;
  // The response of a page varies: a redirect, a page, or a problem document for a program.
  const isPage = answerTypes.includes('text/html');
  const { accept } = request.headers;
  if (
    !isPage &&
    accept !== undefined &&
    accept !== '*/*' &&
    answerTypes.length > 0 &&
    !answerTypes.includes(ANY) &&
    !request.accepts([...answerTypes])
  ) {
    throw new ProblemError('not_acceptable', { available: answerTypes });
  }
  const takesAny = bodyTypes.includes(ANY);
  const bodyType = mediaTypeOf(request);
  if (bodyTypes.length > 0 && !takesAny && !bodyTypes.includes(bodyType)) {
    throw new ProblemError('unsupported_media_type', { supported: bodyTypes });
  }
  // The query may say that a body has another encoding; then its header need not, but cannot say a third.
  const { encoding } = request.query;
  if (bodyTypes.length > 0 && !takesAny)
    refuseOtherCharsets(request, [...bodyTypes], typeof encoding === 'string' ? encoding : undefined);
  // The envelope of another multipart body would be stored as the file.
  if (takesAny && bodyType.startsWith('multipart/') && !bodyTypes.includes(bodyType)) {
    throw new ProblemError('unsupported_media_type', {
      supported: ['multipart/form-data', 'any media type that is not multipart'],
    });
  }
  // A streamed body is not decompressed; a plain JSON body is, by its parser.
  if ((bodyTypes.length > 1 || takesAny) && isCompressed(request)) {
    throw new ProblemError('unsupported_media_type', {
      supported: bodyTypes.map((type) => `${type} without Content-Encoding`),
    });
  }
  next();
}

/** A file may have any media type, whatever the caller prefers. */
const ANY = '*/*';

function isCompressed({ headers }: Request): boolean {
  return (headers['content-encoding'] ?? 'identity').trim().toLowerCase() !== 'identity';
}

/** Returns the media type of the body in lower case, without parameters. */
export function mediaTypeOf(request: Request): string {
  const [type = ''] = (request.headers['content-type'] ?? '').split(';');
  return type.trim().toLowerCase();
}

/**
 * Refuses a body that says another encoding than it is read in. It would be read as other characters than were sent, and
 * the nesting depth of JSON is counted in the raw bytes: in UTF-7 or UTF-16 brackets are different bytes (IN-03).
 *
 * @param types the media types that the route reads
 * @param encoding the encoding in which it reads the body
 * @throws {ProblemError} `unsupported_media_type`
 * @see RFC 8259, section 8.1: JSON between systems is UTF-8
 */
export function refuseOtherCharsets(
  { headers }: Request,
  types = ['application/json'],
  encoding = 'utf-8',
): void {
  for (const parameter of (headers['content-type'] ?? '').split(';').slice(1)) {
    const [name = '', value = ''] = parameter.split('=');
    if (name.trim().toLowerCase() !== 'charset') continue;
    if (encodingOf(value.trim().replace(/^"(.*)"$/, '$1')) !== encoding)
      throw new ProblemError('unsupported_media_type', {
        supported: types.map((type) => `${type}; charset=${encoding}`),
      });
  }
}

/** Returns the encoding that a charset means, as browsers do: `ISO-8859-1` is Windows-1252. */
function encodingOf(charset: string): string | undefined {
  try {
    return new TextDecoder(charset).encoding;
  } catch {
    return undefined;
  }
}
