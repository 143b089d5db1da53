/** What an entry of the log says was done, as far as its words can be read. */
export interface LogAction {
  readonly kind:
    | 'record created'
    | 'record updated'
    | 'record deleted'
    | 'data exported'
    | 'design or management'
    | 'other';
  /** The record that it was done to; undefined for none. */
  readonly record: string | undefined;
  /** Whether it came through the API or an import, and not from a person at a form. */
  readonly origin: 'api' | 'import' | 'form';
  /** The names of the fields that were changed; their values are in `details` alone. */
  readonly fields: readonly string[];
  readonly repeatInstance: number | undefined;
}

const KINDS: readonly (readonly [pattern: RegExp, kind: LogAction['kind']])[] = [
  [/^Create record/i, 'record created'],
  [/^Update (record|response)/i, 'record updated'],
  [/^Delete record/i, 'record deleted'],
  [/^Data export/i, 'data exported'],
  [/^(Manage\/Design|(Add|Edit|Delete|Create) (user|role|project))/i, 'design or management'],
];

const RECORD_ACTION =
  /^(?:Create|Update|Delete) (?:record|response)(?: \((?:API|import|Auto calculation)\))* (.+?)(?: \(.*\))?$/i;

/**
 * Reads the words of a log entry.
 *
 * @see docs/protocol/redcap.md 13.2 (client): a record's details read `field = 'value', field = 'value'`, of a checkbox
 * `sites(2) = checked`, and the instance stands in brackets: `[instance = 2]`
 */
export function parseLogAction(row: {
  readonly action: string;
  readonly details: string;
  readonly record: string;
}): LogAction {
  const action = row.action.trim();
  const kind = KINDS.find(([pattern]) => pattern.test(action))?.[1] ?? 'other';
  const record = row.record || (RECORD_ACTION.exec(action)?.[1] ?? '');
  return {
    kind,
    record: record === '' ? undefined : record,
    origin: /\(API\)/i.test(action) ? 'api' : /\(import\)/i.test(action) ? 'import' : 'form',
    fields: kind.startsWith('record') ? fieldsOf(row.details) : [],
    repeatInstance: instanceOf(row.details),
  };
}

/** A name stands at the beginning or behind a comma; what stands in quotes is a value, whatever it looks like. */
function fieldsOf(details: string): string[] {
  const outside = details.replace(/'(?:[^']|'(?!\s*(?:,|$)))*'/gs, "''");
  const names = [...outside.matchAll(/(?:^|,)\s*(?:\[[^\]]*\],?\s*)*([a-z][a-z0-9_]*)(?:\([^)]*\))?\s*=/g)];
  return [...new Set(names.map(([, name = '']) => name))];
}

function instanceOf(details: string): number | undefined {
  const [, instance] = /\[instance\s*=\s*(\d{1,6})\]/.exec(details) ?? [];
  return instance === undefined ? undefined : Number(instance);
}
