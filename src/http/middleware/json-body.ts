import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { MalformedRequestError } from '../../domain/errors/caller-errors.js';
import { bodyDeadline } from '../body-deadline.js';
import { refuseOtherCharsets } from './media-types.js';
import { isInstrumentName } from '../../domain/identifiers/names.js';
import { requestState } from '../request-state.js';

/** The maximum nesting depth and number of keys of a JSON body (IN-03). */
const MAX_DEPTH = 32;
const MAX_KEYS = 10_000;

/**
 * Keys that change an object's prototype when a body is merged into another object (IN-04), and those without which an
 * object cannot be converted to text, which tsoa does while it checks a value.
 */
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set([
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'valueOf',
]);

/** Properties whose keys are unique names of instruments, which may be called so: rights are given by instrument. */
const BY_INSTRUMENT: ReadonlySet<string> = new Set(['forms', 'formsExport']);

export interface JsonBodyLimits {
  /** The maximum size of a JSON body in bytes, except for imports; 1 MiB by default. */
  readonly bodyBytes?: number | undefined;
  /** How long a JSON body may take to arrive, except for imports; 60 s by default. */
  readonly bodyTimeoutMs?: number | undefined;
}

/**
 * Reads the body of routes that accept only JSON. Routes that accept records read and check their body as a stream,
 * without a time limit.
 */
export function jsonBody(limits: JsonBodyLimits): RequestHandler {
  // Accepts any media type here, because it has already been checked against the document.
  const read = readJson({ ...limits, mediaType: () => true });
  return (request: Request, response: Response, next: NextFunction) => {
    const bodyTypes = requestState(request).operation?.bodyTypes ?? [];
    // The limits of the sign-in have read it already, to count its address.
    if (request.body !== undefined) return next();
    if (bodyTypes.length !== 1 || bodyTypes[0] !== 'application/json') return next();
    read(request, response, next);
  };
}

/**
 * Reads a JSON body in UTF-8, with limits on its size, duration, depth and number of keys (IN-03, IN-04). A body of
 * another media type is not read.
 *
 * Express reads only the bytes. Its parsers are not used, because they decode with the client's `charset`, in which a
 * bracket may be encoded differently, and because an error thrown by their `verify` option is altered in a callback
 * that catches nothing.
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
 * Parses a JSON text. An empty body becomes an empty object.
 *
 * @throws {MalformedRequestError} not UTF-8, not JSON, nested too deeply, too many keys, or a forbidden key
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

/** Drops a byte order mark and refuses invalid UTF-8, which would otherwise be stored as replacement characters. */
const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/** Checks the bytes before any parser runs: ten kilobytes of brackets can overflow recursive code. */
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

/** Iterates without recursion. The depth has been checked before. */
function refuseForbiddenKeys(body: unknown): void {
  const open: { readonly name: string; readonly value: unknown }[] = [{ name: '', value: body }];
  let keys = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { name, value } = next;
    if (typeof value !== 'object' || value === null) continue;
    // List items do not count as keys, because a list of record ids may be long.
    if (Array.isArray(value)) {
      for (const item of value as unknown[])
        if (typeof item === 'object' && item !== null) open.push({ name: '', value: item });
      continue;
    }
    for (const [key, child] of Object.entries(value)) {
      keys += 1;
      const isName = BY_INSTRUMENT.has(name) && isInstrumentName(key);
      if (FORBIDDEN_KEYS.has(key) && !isName)
        throw new MalformedRequestError(`The body has the key ${key}, which is refused.`);
      if (keys > MAX_KEYS) throw new MalformedRequestError(`The body has more than ${MAX_KEYS} keys.`);
      if (typeof child === 'object' && child !== null) open.push({ name: key, value: child });
    }
  }
}
