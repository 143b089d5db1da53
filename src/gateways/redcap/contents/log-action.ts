import type { LogType } from './log-types.js';

/** What was done, finer than the type that REDCap's filter has for it. */
export type LogAction =
  | 'record_created'
  | 'record_updated'
  | 'record_deleted'
  | 'record_locked'
  | 'record_signed'
  | 'record_randomized'
  | 'file_uploaded'
  | 'file_downloaded'
  | 'file_deleted'
  | 'data_exported'
  | 'user_changed'
  | 'page_viewed'
  | 'design_or_management'
  | 'other';

/** What was done according to an entry of the log, as far as its text can be parsed. */
export interface ParsedAction {
  /**
   * The type of the filter that returns the entry; undefined where it is not known: for files, which no type of
   * records returns, for randomizations, and for a text that is not known.
   */
  readonly type: LogType | undefined;
  readonly action: LogAction;
  /** The record concerned; undefined if there is none. */
  readonly record: string | undefined;
  /** Whether it was done through the API, by an import, or by a person in a form. */
  readonly origin: 'api' | 'import' | 'form';
  /** The names of the changed fields; their values are only in `details`. A value may be mistaken for a name. */
  readonly fields: readonly string[];
  /** The display name of the event; undefined in a classic project, and if the entry does not state it. */
  readonly eventLabel: string | undefined;
  /** The number of the event's arm. */
  readonly arm: number | undefined;
  readonly instance: number | undefined;
}

/** The texts of docs/protocol/redcap.md 13.2, of every version that is known. */
const ACTIONS: readonly (readonly [pattern: RegExp, action: LogAction])[] = [
  [/^Created? (record|response)/i, 'record_created'],
  [/^Updated? (record|response)/i, 'record_updated'],
  [/^Deleted? (record|response)/i, 'record_deleted'],
  [/^(Lock|Unlock|Lock\/Unlock)( record|$)/i, 'record_locked'],
  [/^E-signature/i, 'record_signed'],
  [/^Randomized? record/i, 'record_randomized'],
  [/^Upload(ed)? (uploaded )?document/i, 'file_uploaded'],
  [/^Download(ed)? (uploaded )?document/i, 'file_downloaded'],
  [/^Deleted? (uploaded )?document/i, 'file_deleted'],
  [/^(Data|PDF) export/i, 'data_exported'],
  [
    /^((Add|Edit|Delete|Create|Rename|Update) (user|role)|User (assigned|removed)|Updated user expiration)/i,
    'user_changed',
  ],
  [/^Page view/i, 'page_viewed'],
  [
    /^(Manage\/Design|(Add|Edit|Delete|Create) project|(Enable|Disable|Modify configuration for) external module)/i,
    'design_or_management',
  ],
];

/** @see docs/protocol/redcap.md 13.2, 20 (client) */
const TYPES: Readonly<Partial<Record<LogAction, LogType>>> = {
  record_created: 'record_add',
  record_updated: 'record_edit',
  record_deleted: 'record_delete',
  record_locked: 'lock_record',
  record_signed: 'lock_record',
  data_exported: 'export',
  user_changed: 'user',
  page_viewed: 'page_view',
  design_or_management: 'manage',
};

/** Longer than any action with the name of a record, of an event and of an arm. */
const MAX_ACTION_LENGTH = 1000;

/**
 * A name with what may surround it. The brackets have limits: values are text of any kind, and without limits
 * the search takes quadratic time for some of them.
 */
const FIELD_NAME = /(?:^|,)\s*(?:\[[^\]]{0,100}\],?\s*){0,3}([a-z][a-z0-9_]*)(?:\([^)]{0,100}\))?\s*=/g;

/**
 * The text before the record's name: `Update record (API) `, `Uploaded Document `, `E-signature `. Some versions have no
 * blank before the name: `Create record7`.
 */
const RECORD_ACTION =
  /^(?:(?:Created?|Updated?|Deleted?|Lock|Unlock|Lock\/Unlock|Randomized?) (?:record|response)|E-signature|(?:Upload|Download|Delete)(?:e?d)? (?:uploaded )?document)(?: \((?:API|import|Auto calculation)\))* ?/i;

/**
 * Parses the text of a log entry.
 *
 * @see docs/protocol/redcap.md 13.2 (client): a record's details read `field = 'value', field = 'value'`, for a
 *   checkbox `sites(2) = checked`, and the instance is in brackets: `[instance = 2]`
 */
export function parseLogAction(row: {
  readonly action: string;
  readonly details: string;
  readonly record: string;
}): ParsedAction {
  const text = row.action.slice(0, MAX_ACTION_LENGTH).trim();
  const action = ACTIONS.find(([pattern]) => pattern.test(text))?.[1] ?? 'other';
  const { record, rest } = recordOf(text, row.record);
  // `(Visit 1 (Arm 2: Drug B))` follows the record's name.
  const [, eventLabel, armText] = /^\s*\((.+) \(Arm (\d{1,4})(?:: .*)?\)\)$/s.exec(rest) ?? [];
  return {
    type: TYPES[action],
    action,
    record: record === '' ? undefined : record,
    origin: originOf(text, action === 'design_or_management' ? row.details : ''),
    fields: fieldsOf(action, row.details),
    eventLabel,
    arm: armText === undefined ? undefined : Number(armText),
    instance: instanceOf(row.details),
  };
}

/** For management actions, the details state what was done: `Export DAGs (API)`. */
function originOf(action: string, details: string): ParsedAction['origin'] {
  if (/\(API\)/i.test(action) || /\(API\)\s*$/i.test(details)) return 'api';
  return /\(import\)/i.test(action) ? 'import' : 'form';
}

/** The record is in its own column. Older versions have it only in the action. */
function recordOf(action: string, column: string): { readonly record: string; readonly rest: string } {
  const prefix = RECORD_ACTION.exec(action)?.[0];
  if (prefix === undefined) return { record: column, rest: '' };
  const words = action.slice(prefix.length);
  if (column !== '') {
    return { record: column, rest: words.startsWith(column) ? words.slice(column.length) : words };
  }
  const [, record = '', rest = ''] = /^(.+?)( \(.*\))?$/s.exec(words) ?? [];
  return { record, rest };
}

/** A name is at the beginning or after a comma. Text in quotes is a value, even if it looks like a name. */
function fieldsOf(action: LogAction, details: string): string[] {
  if (action.startsWith('file_')) return /^[a-z][a-z0-9_]*/.exec(details)?.slice() ?? [];
  if (!action.startsWith('record_')) return [];
  const outside = details.replace(/'(?:[^']|'(?!\s*(?:,|$)))*'/gs, "''");
  const names = [...outside.matchAll(FIELD_NAME)];
  return [...new Set(names.map(([, name = '']) => name))];
}

function instanceOf(details: string): number | undefined {
  const [, instance] = /\[instance\s*=\s*(\d{1,6})\]/.exec(details) ?? [];
  return instance === undefined ? undefined : Number(instance);
}
