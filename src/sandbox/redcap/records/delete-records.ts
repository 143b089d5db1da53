import type { SandboxProject } from '../project.js';
import type { StoredRecord, StoredRow } from './stored-record.js';
import type { Answer } from '../wire/answer.js';
import { ApiFailure, invalidParameter } from '../wire/api-failure.js';
import { integerAnswer } from '../wire/integer-answer.js';
import type { Parameters } from '../wire/parameters.js';
import type { ContentCall } from '../content-call.js';

/**
 * Deletes whole records, or their data of an arm, an event, an instrument or an instance:
 * `content=record&action=delete`. If one of the records does not exist, nothing is deleted.
 *
 * @throws {ApiFailure} 400 for unknown records, arms, events and instruments
 * @see docs/protocol/redcap.md 6.1 (client, doc)
 */
export function deleteRecords(call: ContentCall): Answer {
  const { project, parameters, caller } = call;
  const ids = [...new Set(parameters.list('records'))];
  if (ids.length === 0) throw invalidParameter('records');
  const part = partOf(project, parameters);
  const records = ids.map((id) => {
    const record = project.records.get(id);
    return record !== undefined && caller.sees(record) ? record.clone() : undefined;
  });
  const unknown = ids.filter((_id, index) => records[index] === undefined);
  if (unknown.length > 0) {
    throw new ApiFailure(
      400,
      `One or more of the records provided cannot be deleted because they do not exist in the project. The following records do not exist: ${unknown.join(', ')}`,
    );
  }
  for (const record of records) {
    if (record === undefined) continue;
    removePart(project, record, part);
    if (parameters.flag('delete_logging')) project.log.forget(record.id);
    const action = `Delete record ${record.id}`;
    const details = `${project.idField} = '${record.id}'`;
    const [id, group] = [record.id, record.group];
    project.log.add({ username: caller.username, kind: 'record_delete', action, details, record: id, group });
  }
  removeLostFiles(project);
  return integerAnswer(ids.length, call);
}

/** The part of each record to delete; all undefined to delete whole records. */
interface Part {
  readonly arm: number | undefined;
  readonly event: string | undefined;
  readonly instrument: string | undefined;
  readonly instance: number | undefined;
}

function partOf(project: SandboxProject, parameters: Parameters): Part {
  const given = (name: string, isValid: (text: string) => boolean): string | undefined => {
    const text = parameters.text(name);
    if (text === '') return undefined;
    if (!isValid(text)) throw invalidParameter(name);
    return text;
  };
  const arm = given('arm', (text) => isArm(project, text));
  const event = given('event', (text) => !project.isLongitudinal || project.event(text) !== undefined);
  const instrument = given('instrument', (text) => project.instrument(text) !== undefined);
  const instance = given('repeat_instance', (text) => /^[1-9]\d{0,4}$/.test(text));
  // An instrument can be deleted at one event only. (doc)
  if (project.isLongitudinal && instrument !== undefined && event === undefined)
    throw invalidParameter('event');
  return {
    arm: arm === undefined || !project.isLongitudinal ? undefined : Number(arm),
    event: project.isLongitudinal ? event : undefined,
    instrument,
    instance: instance === undefined ? undefined : Number(instance),
  };
}

function isArm(project: SandboxProject, text: string): boolean {
  return project.isLongitudinal
    ? project.study.arms.some(({ number }) => String(number) === text)
    : text === '1';
}

function removePart(project: SandboxProject, record: StoredRecord, part: Part): void {
  const isWhole = Object.values(part).every((value) => value === undefined);
  for (const row of isWhole ? [] : [...record.rows]) {
    const armNumber = project.event(row.event)?.armNumber;
    if (part.arm !== undefined && armNumber !== part.arm) continue;
    if (part.event !== undefined && row.event !== part.event) continue;
    if (part.instrument !== undefined) removeInstrument(project, record, row, part);
    else if (part.instance === undefined || row.instance === part.instance) record.removeRow(row);
  }
  // A record that has no rows left after an arm was deleted belongs to no arm, and is deleted.
  const isGone = isWhole || (part.arm !== undefined && record.isEmpty);
  if (isGone) {
    project.records.delete(record.id);
    return;
  }
  record.changedAt = project.now();
  project.records.set(record);
}

/** Removes the files of fields whose values were deleted. */
function removeLostFiles({ records, documents }: SandboxProject): void {
  documents.relocate((place) =>
    records.get(place.record)?.row(place)?.values.has(place.field) === true ? place : undefined,
  );
}

/** Deletes the data of an instrument: of the first instance only, if none is given. (issue) */
function removeInstrument(
  project: SandboxProject,
  record: StoredRecord,
  row: StoredRow,
  { instrument = '', instance = 1 }: Part,
): void {
  if (row.instance !== 0 && row.instance !== instance) return;
  if (row.instrument === instrument) {
    record.removeRow(row);
    return;
  }
  if (row.instrument !== '') return;
  for (const column of project.columns) {
    if (column.instrument === instrument) row.values.delete(column.name);
  }
  if (row.values.size === 0) record.removeRow(row);
}
