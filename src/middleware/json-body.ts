import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { MalformedRequestError } from '../errors/caller-errors.js';
import { bodyDeadline } from '../http/body-deadline.js';
import { refuseOtherCharsets } from './json-charset.js';
import { requestState } from '../http/request-state.js';

/** How deep a JSON body may be nested, and how many keys it may have (IN-03). */
const MAX_DEPTH = 32;
const MAX_KEYS = 10_000;

/** Keys that change an object's prototype when a body is merged into another object (IN-04). */
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

export interface JsonBodyLimits {
  readonly bodyBytes?: number | undefined;
  readonly bodyTimeoutMs?: number | undefined;
}

/**
 * Reads the body of routes that take JSON and nothing else. Routes that take records read their body as a stream,
 * and check it there; they take as long as they need.
 */
export function jsonBody(limits: JsonBodyLimits): RequestHandler {
  // Any media type: it was checked before, against the document.
  const read = readJson({ ...limits, mediaType: () => true });
  return (request: Request, response: Response, next: NextFunction) => {
    const bodyTypes = requestState(request).operation?.bodyTypes ?? [];
    if (bodyTypes.length !== 1 || bodyTypes[0] !== 'application/json') return next();
    read(request, response, next);
  };
}

/**
 * Reads a JSON body in UTF-8, with bounds for its bytes, its time, its depth and its keys (IN-03, IN-04). A body of
 * another media type is left unread.
 *
 * Express reads the bytes, and nothing of ours runs inside it: its parsers decode by the client's `charset`, under which
 * a bracket may look like something else, and what their `verify` throws is changed in a callback that catches nothing.
 */
export function readJson({
  bodyBytes = 1024 * 1024,
  bodyTimeoutMs,
  mediaType = 'application/json',
}: JsonBodyLimits & { readonly mediaType?: string | (() => boolean) }): RequestHandler {
  const read = bodyDeadline(express.raw({ limit: bodyBytes, type: mediaType }), bodyTimeoutMs);

  return (request: Request, response: Response, next: NextFunction) => {
    refuseOtherCharsets(request);
    void read(request, response, (error?: unknown) => {
      if (error !== undefined) return next(error);
      try {
        if (Buffer.isBuffer(request.body)) request.body = parseJson(request.body);
      } catch (refusal) {
        return next(refusal);
      }
      next();
    });
  };
}

/**
 * @returns the value of a JSON text; an object without properties for an empty body
 * @throws {MalformedRequestError} not UTF-8, not JSON, nested too deep, too many keys, or a key that is refused
 */
export function parseJson(body: Uint8Array): unknown {
  refuseDeepJson(body);
  const value = body.length === 0 ? {} : fromText(body);
  refuseForbiddenKeys(value);
  return value;
}

function fromText(body: Uint8Array): unknown {
  try {
    return JSON.parse(UTF_8.decode(body));
  } catch (cause) {
    throw new MalformedRequestError('The body is not valid JSON in UTF-8.', { cause });
  }
}

/** Drops a byte order mark. What is not UTF-8 is refused: replaced by question marks it would be stored as such. */
const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/** Looks at the bytes, before any parser: ten kilobytes of brackets overflow recursive code. */
function refuseDeepJson(body: Uint8Array): void {
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < body.length; index += 1) {
    const byte = body[index];
    if (byte === 0x22 /* " */) isInString = !isInString;
    else if (isInString) index += byte === 0x5c /* \ */ ? 1 : 0;
    else if (byte === 0x5b /* [ */ || byte === 0x7b /* { */) depth += 1;
    else if (byte === 0x5d /* ] */ || byte === 0x7d /* } */) depth -= 1;
    if (depth > MAX_DEPTH)
      throw new MalformedRequestError(`The body is nested deeper than ${MAX_DEPTH} levels.`);
  }
}

/** Walks without recursion; the depth is bounded already. */
function refuseForbiddenKeys(body: unknown): void {
  const open: unknown[] = [body];
  let keys = 0;
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    const isList = Array.isArray(value);
    for (const [key, child] of Object.entries(value)) {
      // The items of a list have no keys of their own: a list of record ids may be long.
      if (!isList) keys += 1;
      if (FORBIDDEN_KEYS.has(key))
        throw new MalformedRequestError(`The body has the key ${key}, which is refused.`);
      if (keys > MAX_KEYS) throw new MalformedRequestError(`The body has more than ${MAX_KEYS} keys.`);
      if (typeof child === 'object' && child !== null) open.push(child);
    }
  }
}
