import type { AuditDetail, AuditDetails } from './audit-entry.js';
import { filterFieldsOf } from './filter-fields.js';

/** What a call asks for, as it came: nothing of it has been checked yet. */
export interface AskedFor {
  /** The parameters of the path. */
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** A parsed JSON body; undefined for every other one. */
  readonly body: unknown;
}

/** The most names that an entry lists; of more, only the number. */
const MAX_NAMES = 100;

/** A name of the project's structure: of a field, an instrument, an event, a group; or a number. */
const NAME = /^(?:[a-z][a-z0-9_]{0,99}|\d{1,10})$/i;

/** Lists of names of the structure. */
const STRUCTURE_LISTS = ['fields', 'forms', 'instruments', 'events', 'arms', 'dags'] as const;

/** Parameters of a path that name a part of the structure. Every other one may name a person, and is a pseudonym. */
const STRUCTURE_PARAMETERS: ReadonlySet<string> = new Set([
  'armNumber',
  'dag',
  'documentId',
  'event',
  'field',
  'instrument',
  'reportId',
]);

/**
 * @returns which data a call asks for, in names of the structure, numbers, and pseudonyms of records and persons
 * @param pseudonymOf one keyed hash for everything that may name somebody
 */
export function callDetails(asked: AskedFor, pseudonymOf: (subject: string) => string): AuditDetails {
  const options = { ...bodyOf(asked.body), ...withoutIndices(asked.query) };
  return {
    ...pathDetails(asked.path, pseudonymOf),
    ...Object.fromEntries(
      STRUCTURE_LISTS.flatMap((name) => Object.entries(namesDetail(name, options[name]))),
    ),
    ...recordsDetail(options.records, pseudonymOf),
    ...(typeof options.filterLogic === 'string' && {
      filterFields: filterFieldsOf(options.filterLogic).slice(0, MAX_NAMES),
    }),
    ...othersDetail(withoutIndices(asked.query)),
  };
}

function pathDetails(path: AskedFor['path'], pseudonymOf: (subject: string) => string): AuditDetails {
  return Object.fromEntries(
    Object.entries(path).map(([name, value]): [string, AuditDetail] => {
      const text = String(value);
      const isClear = STRUCTURE_PARAMETERS.has(name) && NAME.test(text);
      return [name, isClear ? text : pseudonymOf(text)];
    }),
  );
}

function namesDetail(name: string, value: unknown): AuditDetails {
  const names = listOf(value);
  if (names.length === 0) return {};
  // Whatever is no name was typed by somebody, and may be anything.
  const known = names.filter((item) => NAME.test(item)).slice(0, MAX_NAMES);
  return { [name]: known, ...(known.length < names.length && { [`${name}Total`]: names.length }) };
}

function recordsDetail(value: unknown, pseudonymOf: (subject: string) => string): AuditDetails {
  const ids = listOf(value);
  if (ids.length === 0) return {};
  return {
    records: ids.slice(0, MAX_NAMES).map(pseudonymOf),
    ...(ids.length > MAX_NAMES && { recordsTotal: ids.length }),
  };
}

/** The names alone of all the other parameters. */
function othersDetail(query: Readonly<Record<string, unknown>>): AuditDetails {
  const reported: readonly string[] = [...STRUCTURE_LISTS, 'records', 'filterLogic'];
  const names = Object.keys(query).filter((name) => !reported.includes(name) && NAME.test(name));
  return names.length === 0 ? {} : { parameters: names.sort().slice(0, MAX_NAMES) };
}

/** `fields=a&fields[0]=b` and `fields[]=c` are one list. */
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
  if (Array.isArray(value)) return value;
  return value === undefined || value === null ? [] : [value];
}

function bodyOf(body: unknown): Readonly<Record<string, unknown>> {
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...body } : {};
}
