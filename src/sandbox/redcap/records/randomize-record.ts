import { createHash } from 'node:crypto';
import { formStatusName } from '../../../domain/dictionary/export-column.js';
import type { Field } from '../../../domain/dictionary/field.js';
import type { ContentCall } from '../content-call.js';
import type { SandboxProject } from '../project.js';
import type { Answer } from '../wire/answer.js';
import { ApiFailure, invalidParameter } from '../wire/api-failure.js';
import { recalculate } from './apply-rows.js';
import { findRecord } from './find-record.js';

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
  if (record.row(place)?.values.has(target.name) === true) {
    throw new ApiFailure(400, `The record "${id}" has already been randomized`);
  }
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
