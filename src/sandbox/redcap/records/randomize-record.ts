import { createHash } from 'node:crypto';
import type { ContentCall } from '../content-call.js';
import type { Answer } from '../wire/answer.js';
import { ApiFailure, invalidParameter } from '../wire/api-failure.js';

/**
 * Permanently assigns a record to one of the choices of a field: `content=record&action=randomize`. In the sandbox,
 * these are the fields with `@RANDOMIZE` in their annotation, numbered from 1.
 *
 * @throws {ApiFailure} 400 for an unknown record or randomization, or if the record is already randomized
 * @see docs/protocol/redcap.md 6.3 (doc; one element in a list is a choice); the allocation is ours (choice)
 */
export function randomizeRecord({ project, parameters, caller }: ContentCall): Answer {
  const id = parameters.text('record');
  const record = project.records.get(id);
  if (record === undefined || !caller.sees(record))
    throw new ApiFailure(400, `The record "${id}" does not exist`);
  const number = parameters.text('randomization_id');
  const targets = project.dictionary.fields.filter(({ annotation }) => annotation.includes('@RANDOMIZE'));
  const target = targets[Number(number) - 1];
  if (!/^[1-9]\d*$/.test(number) || target === undefined) throw invalidParameter('randomization_id');

  const row = record.rowAt({ event: project.firstEvent, instrument: '', instance: 0 });
  if (row.values.has(target.name)) {
    throw new ApiFailure(400, `The record "${id}" has already been randomized`);
  }
  const choices = project.dictionary.choices(target);
  const code = choices[digestOf(id, target.name) % Math.max(1, choices.length)]?.code ?? '';
  row.values.set(target.name, code);
  record.changedAt = project.now();
  project.log.add({
    username: caller.username,
    kind: 'record_edit',
    action: `Update record (API) ${id}`,
    details: `${target.name} = '${code}'`,
    record: id,
    group: record.group,
  });
  const answer = { randomization_id: Number(number), record: id, target_field: code };
  const assignment = parameters.flag('returnAlt') ? { ...answer, target_field_alt: '*' } : answer;
  return { kind: 'object', row: assignment, isBareItem: true };
}

/** Makes the allocation reproducible: a record gets the same choice in every run. */
function digestOf(record: string, field: string): number {
  return createHash('sha256').update(`${record}\n${field}`).digest().readUInt32BE();
}
