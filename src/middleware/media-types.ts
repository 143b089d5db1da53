import type { NextFunction, Request, Response } from 'express';
import { NotAcceptableError, UnsupportedMediaTypeError } from '../errors/caller-errors.js';
import { requestState } from '../http/request-state.js';

/**
 * Holds `Accept` and `Content-Type` against the document: 406 when none of the route's media types is acceptable,
 * 415 when the body has none of those the route reads, or is compressed where it is read as a stream.
 */
export function mediaTypes(request: Request, _response: Response, next: NextFunction): void {
  const operation = requestState(request).operation;
  if (operation === undefined) return next();

  const { answerTypes, bodyTypes } = operation;
  // What a page answers depends on what it finds: a redirect, a page, or a problem for a program.
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
    throw new NotAcceptableError(answerTypes);
  }
  const takesAny = bodyTypes.includes(ANY);
  const bodyType = mediaTypeOf(request);
  if (bodyTypes.length > 0 && !takesAny && !bodyTypes.includes(bodyType)) {
    throw new UnsupportedMediaTypeError(bodyTypes);
  }
  // The wrapping of a form would be stored as the file.
  if (takesAny && bodyType.startsWith('multipart/')) {
    throw new UnsupportedMediaTypeError(['any media type but multipart']);
  }
  // A body that is read as a stream is read as it comes; a plain JSON body is unpacked where it is parsed.
  if ((bodyTypes.length > 1 || takesAny) && isCompressed(request)) {
    throw new UnsupportedMediaTypeError(bodyTypes.map((type) => `${type} without Content-Encoding`));
  }
  next();
}

/** A file is of any type, and is what it is whatever the caller would rather have. */
const ANY = '*/*';

function isCompressed({ headers }: Request): boolean {
  return (headers['content-encoding'] ?? 'identity').trim().toLowerCase() !== 'identity';
}

/** @returns the media type of the body, without its parameters and in lower case */
export function mediaTypeOf(request: Request): string {
  const [type = ''] = (request.headers['content-type'] ?? '').split(';');
  return type.trim().toLowerCase();
}
