import { createHash } from 'node:crypto';
import type { ContentCall } from '../content.js';
import { ApiFailure, invalidParameter } from '../../../wire/api-failure.js';
import type { StoredRecord, StoredRow } from './record-store.js';
import { type Answer, integerAnswer } from '../../../wire/answer.js';
import { recordName } from './import-rows.js';
import type { SandboxProject } from '../project.js';
import type { Parameters } from '../../../wire/parameters.js';
import { formStatusName } from '../../../domain/dictionary/export-column.js';
import type { Field } from '../../../domain/dictionary/field.js';
import { recalculate } from './apply-rows.js';

/**
 * Returns the record that a call names. A record that the caller may not see is treated as missing.
 *
 * @throws {ApiFailure} 400 if there is none
 * @see docs/protocol/redcap.md 2.2 (client)
 */
export function findRecord(
  { project, caller }: Pick<ContentCall, 'project' | 'caller'>,
  id: string,
): StoredRecord {
  const record = project.records.get(id);
  if (record !== undefined && caller.sees(record)) return record;
  throw new ApiFailure(400, `The record "${id}" does not exist`);
}

/**
 * Renames a record, along with its files: `content=record&action=rename`.
 *
 * @throws {ApiFailure} 400 if the record does not exist, or the name is taken
 * @see docs/protocol/redcap.md 6.2 (client); the error messages are ours (choice)
 */
export function renameRecord(call: ContentCall): Answer {
  const { project, parameters, caller } = call;
  const [from, to] = [parameters.text('record'), parameters.text('new_record_name').trim()];
  const record = findRecord(call, from);
  if (to === '') throw invalidParameter('new_record_name');
  const name = recordName(to);
  if (project.records.get(name) !== undefined)
    throw new ApiFailure(400, `The record "${name}" exists already: choose another name.`);
  project.records.delete(from);
  project.records.set(record.renamed(name, project.now()));
  project.documents.relocate((place) => (place.record === from ? { ...place, record: name } : place));
  project.log.add({
    username: caller.username,
    kind: 'record_edit',
    // Under the old name. @see docs/protocol/redcap.md 13.2
    action: `Update record (API) ${from}`,
    details: `${project.idField} = '${name}'`,
    record: from,
    group: record.group,
  });
  return integerAnswer(1, call);
}

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
    const arm = project.event(row.event)?.arm;
    if (part.arm !== undefined && arm !== part.arm) continue;
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
  for (const column of project.structure.columns) {
    if (column.instrument === instrument) row.values.delete(column.name);
  }
  if (row.values.size === 0) record.removeRow(row);
}

/**
 * Permanently assigns a record to one of the choices of a field: `content=record&action=randomize`. In the sandbox,
 * these are the radio and dropdown fields with `@RANDOMIZE` in their annotation, numbered from 1.
 *
 * @throws {ApiFailure} 400 if the project does not randomize, for an unknown record or randomization, or if the record
 * is already randomized
 * @see docs/protocol/redcap.md 6.3 (doc, choice), 20 (doc): the answer is one object; the allocation is ours (choice)
 */
export function randomizeRecord(call: ContentCall): Answer {
  const { project, parameters, caller } = call;
  if (!project.isRandomizing)
    throw new ApiFailure(400, 'The randomization module is not enabled in this project');
  const id = parameters.text('record');
  const record = findRecord(call, id);
  const number = parameters.text('randomization_id');
  const targets = project.dictionary.fields.filter((field) => isTarget(project, field));
  const target = targets[Number(number) - 1];
  if (!/^[1-9]\d*$/.test(number) || target === undefined) throw invalidParameter('randomization_id');

  const place = project.placeOf(eventOf(project, target), target.instrument, 1);
  if (record.row(place)?.values.has(target.name) === true)
    throw new ApiFailure(400, `The record "${id}" has already been randomized`);
  const choices = project.dictionary.choices(target);
  const code = choices[digestOf(id, target.name) % choices.length]?.code ?? '';
  const { values } = record.rowAt(place);
  values.set(target.name, code);
  // Like an import, it saves the form.
  const status = formStatusName(target.instrument);
  if (!values.has(status)) values.set(status, '0');
  recalculate(project, record);
  record.changedAt = project.now();
  // The value, then that it was assigned. @see docs/protocol/redcap.md 13.2, 20 (doc)
  const entry = { username: caller.username, kind: 'record_edit', record: id, group: record.group } as const;
  project.log.add({ ...entry, action: `Update record (API) ${id}`, details: `${target.name} = '${code}'` });
  project.log.add({ ...entry, action: `Randomize Record (API) ${id}`, details: 'Randomize record' });
  const answer = { randomization_id: Number(number), record: id, target_field: code };
  const assignment = parameters.flag('returnAlt') ? { ...answer, target_field_alt: '*' } : answer;
  return { kind: 'object', row: assignment, isBareItem: true };
}

/** Whether records can be randomized to the choices of a field; there must be some. */
function isTarget({ dictionary }: SandboxProject, field: Field): boolean {
  const hasTag = /@RANDOMIZE(?![\w-])/.test(field.annotation);
  return hasTag && ['radio', 'dropdown'].includes(field.type) && dictionary.choices(field).length > 0;
}

/** Returns the first event that the field's instrument is designated for. */
function eventOf(project: SandboxProject, { instrument }: Field): string {
  if (!project.isLongitudinal) return '';
  const event = project.study.events.find(({ uniqueName }) => project.isMapped(uniqueName, instrument));
  return event?.uniqueName ?? project.firstEvent;
}

/** Makes the allocation reproducible: a record gets the same choice in every run. */
function digestOf(record: string, field: string): number {
  return createHash('sha256').update(`${record}\n${field}`).digest().readUInt32BE();
}

/**
 * Returns the highest number among the record names plus one. Names that are not numbers are ignored. In a data access
 * group, the number follows the group's ID: `20-1`.
 *
 * @param group the unique name of the caller's group, or empty
 * @see docs/protocol/redcap.md 6.4 (doc, client)
 */
export function getNextRecordId(project: SandboxProject, group: string): string {
  return getNextRecordIds(project, group)(0);
}

/** Returns a function from 0, 1, 2 … to the names that follow each other from the next one on. */
export function getNextRecordIds(project: SandboxProject, group: string): (index: number) => string {
  const prefix = group === '' ? '' : `${project.group(group)?.id ?? 0}-`;
  // A name may have up to 100 digits, and a number in JavaScript keeps 15 of them.
  const greatest = project.records.ids
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length))
    .filter((rest) => /^\d+$/.test(rest))
    .map(BigInt)
    .reduce((most, number) => (number > most ? number : most), 0n);
  return (index) => `${prefix}${greatest + 1n + BigInt(index)}`;
}
