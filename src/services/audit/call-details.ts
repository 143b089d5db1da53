import type { AuditDetail, AuditDetails } from '../../records/audit-notes.js';
import { MAX_FILTER_LENGTH } from '../../domain/logic/tokens.js';
import { filterFieldsOf } from './filter-fields.js';
import { MAX_NAMED_RECORDS } from './record-pseudonyms.js';

/** The unvalidated input of a call. */
export interface AskedFor {
  /** The parameters of the path. */
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** A parsed JSON body; undefined for all other bodies. */
  readonly body: unknown;
}

type Hash = (subject: string) => string;

/** Maximum number of names listed in an entry. Beyond it only the number is recorded. */
const MAX_NAMES = 100;

/** A structural name, such as that of a field, an instrument, an event or a group, or a number. */
const NAME = /^(?:[a-z][a-z0-9_]{0,99}|\d{1,10})$/i;

/** The `id` of a file of the repository; that of a session is no number. */
const NUMBER = /^\d{1,10}$/;

/** Parameters that list structural names. */
const STRUCTURE_LISTS = ['fields', 'forms', 'instruments', 'events', 'arms', 'dags'] as const;

/** Path parameters that contain structural names. All others may name a person and are replaced by pseudonyms. */
const STRUCTURE_PARAMETERS: ReadonlySet<string> = new Set([
  'arm',
  'dag',
  'event',
  'field',
  'format',
  'id',
  'instrument',
  'plot',
  'report',
]);

/**
 * @returns a description of the requested data: structural names, numbers, and pseudonyms of records and persons
 * @param pseudonymOf a keyed hash for everything that may identify a person
 * @param recordPseudonymOf that of a record, by the id under which it was asked for
 */
export function callDetails(asked: AskedFor, pseudonymOf: Hash, recordPseudonymOf: Hash): AuditDetails {
  const options = { ...bodyOf(asked.body), ...withoutIndices(asked.query) };
  return {
    ...Object.fromEntries(
      STRUCTURE_LISTS.flatMap((name) => Object.entries(namesDetail(name, options[name]))),
    ),
    ...recordsDetail(options.records, recordPseudonymOf),
    ...recordDetails(options, recordPseudonymOf),
    ...(typeof options.filterLogic === 'string' && filterDetail(options.filterLogic)),
    ...othersDetail(withoutIndices(asked.query)),
    // Last: what a path names is what the call is about, whatever else is sent under the same name.
    ...pathDetails(asked.path, pseudonymOf, recordPseudonymOf),
  };
}

/** Parameters of path, query or body that name one record. */
export const RECORD_PARAMETERS: readonly string[] = ['record', 'newRecord'];

function pathDetails(path: AskedFor['path'], pseudonymOf: Hash, recordPseudonymOf: Hash): AuditDetails {
  return Object.fromEntries(
    Object.entries(path).map(([name, value]): [string, AuditDetail] => {
      const text = String(value);
      const isClear = STRUCTURE_PARAMETERS.has(name) && (name === 'id' ? NUMBER : NAME).test(text);
      if (isClear) return [name, text];
      return [name, RECORD_PARAMETERS.includes(name) ? recordPseudonymOf(text) : pseudonymOf(text)];
    }),
  );
}

function namesDetail(name: string, value: unknown): AuditDetails {
  const names = listOf(value);
  if (names.length === 0) return {};
  // Other input may be anything, so it is not recorded.
  const known = names.filter((item) => NAME.test(item)).slice(0, MAX_NAMES);
  return { [name]: known, ...(known.length < names.length && { [`${name}Total`]: names.length }) };
}

/** The input is not validated yet: a filter that will be refused for its length is not read. */
function filterDetail(filterLogic: string): AuditDetails {
  if (filterLogic.length > MAX_FILTER_LENGTH) return { filterCharacters: filterLogic.length };
  const names = filterFieldsOf(filterLogic);
  return {
    filterFields: names.slice(0, MAX_NAMES),
    ...(names.length > MAX_NAMES && { filterFieldsTotal: names.length }),
  };
}

/** Commas do not split a list of records, because ids may contain them. */
function recordsDetail(value: unknown, recordPseudonymOf: Hash): AuditDetails {
  const ids = asList(value).filter((item) => typeof item === 'string' || typeof item === 'number');
  if (ids.length === 0) return {};
  return {
    records: ids.slice(0, MAX_NAMED_RECORDS).map((id) => recordPseudonymOf(String(id))),
    ...(ids.length > MAX_NAMED_RECORDS && { recordsTotal: ids.length }),
  };
}

/** A record that is named on its own: the one that is asked for, or the new name of one. */
function recordDetails(options: Readonly<Record<string, unknown>>, recordPseudonymOf: Hash): AuditDetails {
  return Object.fromEntries(
    RECORD_PARAMETERS.map((name) => [name, options[name]])
      .filter(([, id]) => typeof id === 'string')
      .map(([name, id]) => [String(name), recordPseudonymOf(String(id))]),
  );
}

/** Lists only the names of all other parameters. */
function othersDetail(query: Readonly<Record<string, unknown>>): AuditDetails {
  const reported: readonly string[] = [...STRUCTURE_LISTS, 'records', ...RECORD_PARAMETERS, 'filterLogic'];
  const names = Object.keys(query).filter((name) => !reported.includes(name) && NAME.test(name));
  return names.length === 0 ? {} : { parameters: names.sort().slice(0, MAX_NAMES) };
}

/** Merges `fields=a&fields[0]=b` and `fields[]=c` into one list. */
function withoutIndices(query: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const lists = new Map<string, unknown>();
  for (const [key, value] of Object.entries(query)) {
    const name = key.replace(/\[\d*\]$/, '');
    lists.set(name, lists.has(name) ? [...asList(lists.get(name)), ...asList(value)] : value);
  }
  return Object.fromEntries(lists);
}

function listOf(value: unknown): string[] {
  return asList(value)
    .filter((item) => typeof item === 'string' || typeof item === 'number')
    .flatMap((item, _index, all) => (all.length === 1 ? String(item).split(',') : [String(item)]))
    .filter((item) => item !== '');
}

function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value];
}

function bodyOf(body: unknown): Readonly<Record<string, unknown>> {
  return typeof body === 'object' ? { ...body } : {};
}
