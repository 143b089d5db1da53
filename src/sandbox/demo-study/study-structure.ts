import { refusal } from '../../domain/errors/refusal.js';
import type { StudyEvent, StudyMapping, StudyRepeating } from '../redcap/study.js';
import { uniqueEventName } from '../redcap/unique-names.js';
import { readCsvRows } from '../../domain/dictionary/csv-rows.js';

/**
 * Reads the events of a project as exported by `content=event`, in their order and with their labels.
 *
 * @throws {InvalidRequestError} naming the row and the rule
 * @see docs/protocol/redcap.md 9.2 (client)
 */
export async function readEvents(text: string): Promise<StudyEvent[]> {
  const taken = new Set<string>();
  return (await readStructureRows('events', text)).map((row, index) => {
    const place = `events row ${index + 1}`;
    const label = required(row, 'event_name', place);
    const arm = Number(row('arm_num') || /_arm_(\d+)/.exec(row('unique_event_name'))?.[1] || 1);
    if (!Number.isSafeInteger(arm) || arm < 0) throw refusal(place, 'must have a number as arm_num');
    const uniqueName = row('unique_event_name') || uniqueEventName(label, arm, taken);
    if (taken.has(uniqueName)) throw refusal(place, 'has the unique_event_name of an earlier row');
    taken.add(uniqueName);
    return {
      label,
      arm,
      uniqueName,
      customLabel: row('custom_event_label'),
      ...offset('dayOffset', row('day_offset')),
      ...offset('offsetMin', row('offset_min')),
      ...offset('offsetMax', row('offset_max')),
    };
  });
}

/** The unique names of a study's events and instruments, which its other files refer to. */
export interface KnownPlaces {
  /** Empty in a classic study. */
  readonly events: ReadonlySet<string>;
  readonly instruments: ReadonlySet<string>;
}

/**
 * Reads the instruments of each event, as exported by `content=formEventMapping`.
 *
 * @throws {InvalidRequestError} naming the row and the rule
 * @see docs/protocol/redcap.md 9.3 (wire)
 */
export async function readMappings(text: string, known: KnownPlaces): Promise<StudyMapping[]> {
  return (await readStructureRows('mappings', text)).map((row, index) => {
    const place = `mappings row ${index + 1}`;
    const event = required(row, 'unique_event_name', place);
    const instrument = required(row, 'form', place);
    if (!known.events.has(event)) throw refusal(place, unknownEvent('unique_event_name'));
    if (!known.instruments.has(instrument)) throw refusal(place, unknownInstrument('form'));
    return { event, instrument };
  });
}

/**
 * Reads the repeating instruments and events, as exported by `content=repeatingFormsEvents`.
 *
 * @throws {InvalidRequestError} naming the row and the rule
 * @see docs/protocol/redcap.md 9.4 (client)
 */
export async function readRepeating(text: string, known: KnownPlaces): Promise<StudyRepeating[]> {
  // REDCap counts a project with a single event as classic, and its list then names no events.
  const isLongitudinal = known.events.size > 1;
  return (await readStructureRows('repeating', text)).map((row, index) => {
    const place = `repeating row ${index + 1}`;
    const [event, instrument] = [row('event_name'), row('form_name')];
    const isEvent = known.events.has(event) || (event === '' && !isLongitudinal);
    if (!isEvent) throw refusal(place, unknownEvent('event_name'));
    // Without an instrument, the whole event repeats.
    const isWholeEvent = instrument === '' && isLongitudinal;
    if (!isWholeEvent && !known.instruments.has(instrument))
      throw refusal(place, unknownInstrument('form_name'));
    return { event, instrument, customLabel: row('custom_form_label') };
  });
}

function unknownEvent(column: string): string {
  return `must have the unique name of an event of the study as ${column}: see --events`;
}

function unknownInstrument(column: string): string {
  return `must have the unique name of an instrument of the dictionary as ${column}`;
}

function offset<Name extends string>(name: Name, text: string): Partial<Record<Name, number>> {
  return /^-?\d{1,6}$/.test(text) ? ({ [name]: Number(text) } as Record<Name, number>) : {};
}

function required(row: StructureRow, name: string, field: string): string {
  const text = row(name);
  if (text === '') throw refusal(field, `must have ${name}`);
  return text;
}

/** Reads a value of a row by column; blank if the file does not have the column. */
export type StructureRow = (name: string) => string;

/**
 * Reads a list as exported by REDCap's API, in CSV or JSON.
 *
 * @param file the file's name in error messages: `events`
 * @throws {InvalidRequestError} naming the file and the rule, never quoting the content
 */
export async function readStructureRows(file: string, text: string): Promise<StructureRow[]> {
  const rows = /^\s*\[/.test(text) ? readJson(file, text) : await readCsv(file, text);
  return rows.map((row) => (name) => (row.get(name) ?? '').trim());
}

async function readCsv(file: string, text: string): Promise<Map<string, string>[]> {
  const [header, ...rows] = await readCsvRows(file, text);
  const columns = header?.cells ?? [];
  return rows.map(({ cells }) => new Map(columns.map((column, at) => [column.trim(), cells[at] ?? ''])));
}

function readJson(file: string, text: string): Map<string, string>[] {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    document = undefined;
  }
  const isList = (value: unknown): value is object[] =>
    Array.isArray(value) && value.every((row) => typeof row === 'object' && row !== null);
  if (!isList(document)) throw refusal(file, 'must be CSV, or a JSON list of objects');
  return document.map((row) => new Map(Object.entries(row).map(([name, value]) => [name, toText(value)])));
}

function toText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
