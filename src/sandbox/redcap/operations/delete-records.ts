import { checkboxColumnName, formStatusName } from '../../../dictionary/export-column.js';
import type { SandboxProject } from '../project.js';
import type { StoredRecord } from '../records/stored-record.js';
import { ApiFailure, type Answer } from '../wire/answer.js';
import type { Parameters } from '../wire/parameters.js';
import { refuseUnknown } from '../records/export-selection.js';

/**
 * `content=record&action=delete`: whole records, or the data of an arm, an event, an instrument, an instance. When one
 * of the records does not exist nothing is deleted.
 *
 * @see protocol reference 6.1 (client, doc)
 */
export function deleteRecords(project: SandboxProject, parameters: Parameters): Answer {
  const ids = [...new Set(parameters.list('records'))];
  if (ids.length === 0) throw new ApiFailure(400, 'The parameter "records" is missing');
  const unknown = ids.filter((id) => project.records.get(id) === undefined);
  if (unknown.length > 0) {
    throw new ApiFailure(
      400,
      `One or more of the records provided cannot be deleted because they do not exist in the project. The following records do not exist: ${unknown.join(', ')}`,
    );
  }
  const part = partOf(project, parameters);
  for (const id of ids) {
    if (part === undefined) project.records.delete(id);
    else removePart(project, id, part);
  }
  return { kind: 'text', text: String(ids.length) };
}

interface Part {
  readonly arm: number | undefined;
  readonly event: string | undefined;
  readonly instrument: string | undefined;
  readonly instance: number | undefined;
}

function partOf(project: SandboxProject, parameters: Parameters): Part | undefined {
  const [arm, event, instrument, instance] = ['arm', 'event', 'instrument', 'repeat_instance'].map((name) =>
    parameters.text(name),
  );
  refuseUnknown('event', event ? [event] : undefined, (name) => project.event(name) !== undefined);
  refuseUnknown(
    'instrument',
    instrument ? [instrument] : undefined,
    (name) => project.instrument(name) !== undefined,
  );
  const part: Part = {
    arm: arm ? Number(arm) : undefined,
    event: event || undefined,
    instrument: instrument || undefined,
    instance: instance ? Number(instance) : undefined,
  };
  return Object.values(part).every((value) => value === undefined) ? undefined : part;
}

function removePart(project: SandboxProject, id: string, part: Part): void {
  const record = project.records.get(id)?.clone();
  if (record === undefined) return;
  for (const row of [...record.rows]) {
    const isInArm = part.arm === undefined || (project.event(row.event)?.armNumber ?? 1) === part.arm;
    if (!isInArm || (part.event !== undefined && row.event !== part.event)) continue;
    if (part.instrument === undefined) {
      record.removeRow(row);
    } else if (row.instrument === part.instrument) {
      // Without an instance only the first one goes. (issue)
      if (row.instance === (part.instance ?? 1)) record.removeRow(row);
    } else if (row.instrument === '') {
      clearInstrument(project, row, part.instrument);
    }
  }
  if (part.arm !== undefined && part.instrument === undefined && [...record.rows].length === 0) {
    project.records.delete(id);
    return;
  }
  record.changedAt = project.now();
  project.records.set(record);
}

function clearInstrument(
  project: SandboxProject,
  row: ReturnType<StoredRecord['rowAt']>,
  instrument: string,
): void {
  for (const field of project.dictionary.fields.filter((candidate) => candidate.instrument === instrument)) {
    row.values.delete(field.name);
    for (const { code } of project.dictionary.choices(field))
      row.values.delete(checkboxColumnName(field.name, code));
  }
  row.values.delete(formStatusName(instrument));
}
