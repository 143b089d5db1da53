import type { ExportColumn } from '../domain/dictionary/export-column.js';
import { NotInPolicyError } from '../domain/errors/access-errors.js';
import type { CallOptions, InfoSource } from '../gateways/redcap/crf-client.js';
import type { Access, ProjectView } from './project-view.js';

/**
 * Returns what the callers of a view may do with a field, or with the status of a form: undefined if it is hidden. Every
 * way of writing asks this one: imports, files, surveys, and what changes a part of a record.
 */
export async function columnAccess(
  calls: InfoSource,
  view: ProjectView,
  call: CallOptions,
): Promise<(column: Pick<ExportColumn, 'name' | 'field' | 'instrument'>) => Access | undefined> {
  const kept = await keptFields(calls, view, call);
  return ({ name, field, instrument }) => {
    const ofForm = view.forms.get(instrument);
    const access = ofForm === undefined || field === undefined ? ofForm : view.fields.get(field.name);
    const isKept = kept.has(field?.name ?? name) || (field?.type === 'file' && view.files !== 'write');
    return access !== undefined && isKept ? 'read' : access;
  };
}

/**
 * Returns the fields and form statuses that nobody may change in a view: those that decide about the records, because
 * whoever changes one takes over the record of somebody else, and the field whose values REDCap keeps apart, because its
 * refusal would say that a hidden record has a value.
 */
export async function keptFields(
  calls: InfoSource,
  { deciding, rows, events }: ProjectView,
  call: CallOptions,
): Promise<ReadonlySet<string>> {
  if (rows.kind === 'all' && events === undefined) return deciding;
  const { secondaryUniqueField } = await calls.project.getInfo(call);
  return secondaryUniqueField === '' ? deciding : new Set([...deciding, secondaryUniqueField]);
}

/** Rejects a call that the policy of the caller does not grant. */
export function refuse(): Promise<never> {
  return Promise.reject(new NotInPolicyError());
}

/** Returns a group of calls that are all refused, by their names. */
export function refused<Name extends string>(
  ...names: readonly Name[]
): Readonly<Record<Name, typeof refuse>> {
  return Object.fromEntries(names.map((name) => [name, refuse])) as Record<Name, typeof refuse>;
}
