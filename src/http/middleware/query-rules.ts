import type { NextFunction, Request, Response } from 'express';
import type { FieldProblem } from '../../domain/errors/field-problem.js';
import { InvalidRequestError } from '../../domain/errors/caller-errors.js';
import { nearestOption } from '../../domain/identifiers/nearest-name.js';
import type { Operation, QueryParameter } from '../api-operation.js';
import { readIdList } from '../../domain/identifiers/id-list.js';
import { requestState } from '../request-state.js';

type Query = Record<string, string | string[]>;

/**
 * Checks the query against the document. An unknown parameter is refused, because a misspelled `filterLogic` must never
 * export everything. A parameter with a single value may not be repeated. A list may be written as `fields=a,b`,
 * `fields=a&fields=b`, `fields[]=a&fields[]=b` or `fields[0]=a&fields[1]=b`. Commas separate names. Items that may
 * contain commas, such as record ids, are not split, but a single quoted value is read as a line of CSV. An empty value
 * is refused, because REDCap would treat it as absent and return everything.
 */
export function queryRules(request: Request, _response: Response, next: NextFunction): void {
  const operation = requestState(request).operation;
  if (operation === undefined || !request.url.includes('?')) return next();

  const problems: FieldProblem[] = [];
  const query = Object.create(null) as Query;
  for (const [written, value] of Object.entries(request.query as Query)) {
    const name = nameIn(operation, written);
    const parameter = operation.queryParameters.get(name);
    if (parameter === undefined)
      problems.push({ field: nameForPeople(written), message: unknownParameter(written, operation) });
    else if (parameter.isList) query[name] = [...(query[name] ?? []), ...itemsOf(written, value, parameter)];
    else if (Array.isArray(value)) problems.push({ field: name, message: 'must be given once' });
    else query[name] = value;
  }
  for (const [name, value] of Object.entries(query)) {
    const isNeverBlank = operation.queryParameters.get(name)?.isNeverBlank;
    if (isNeverBlank && isBlank(value)) problems.push({ field: name, message: EMPTY });
  }
  if (problems.length > 0) throw new InvalidRequestError(problems);

  // Express parses `query` again on each access, so it is replaced by the checked query.
  Object.defineProperty(request, 'query', { value: query, writable: true, configurable: true });
  next();
}

const EMPTY = 'must not be empty: leave it out to select everything';

/** Only lists may have brackets after their name, as written by axios, with a number in them as written by PHP. */
function nameIn({ queryParameters }: Operation, written: string): string {
  const name = written.replace(/\[\d{0,4}\]$/, '');
  return queryParameters.get(name)?.isList ? name : written;
}

function isBlank(value: string | readonly string[]): boolean {
  return typeof value === 'string' ? value.trim() === '' : value.every(isBlank);
}

/** Returns the items of one parameter. With brackets or repetition, each value is one item. */
function itemsOf(
  written: string,
  value: string | string[],
  { mayHoldCommas }: QueryParameter,
): readonly string[] {
  if (!mayHoldCommas) return toList(value);
  if (Array.isArray(value)) return value;
  return written.endsWith(']') ? [value] : readIdList(written, [value]);
}

function toList(value: string | string[]): string[] {
  return [value]
    .flat()
    .flatMap((text) => text.split(','))
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function unknownParameter(written: string, { queryParameters }: Operation): string {
  const nearest = nearestOption(written, queryParameters.keys());
  return `is not a parameter of this route${nearest === undefined ? '' : `; did you mean ${nearest}?`}`;
}

/** Repeats a name in the message, to show a misspelling. Other text may be a value or a secret. */
function nameForPeople(name: string): string {
  return /^[A-Za-z][A-Za-z0-9_]{0,39}(\[[A-Za-z0-9_]{0,20}\])?$/.test(name) ? name : 'a query parameter';
}
