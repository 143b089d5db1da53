import type { ContentCall } from '../content-call.js';
import type { Answer } from '../wire/answer.js';
import { ApiFailure, invalidParameter } from '../wire/api-failure.js';
import { integerAnswer } from '../wire/integer-answer.js';
import { findRecord } from './find-record.js';
import { recordName } from './import-rows.js';

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
  if (project.records.get(name) !== undefined) {
    throw new ApiFailure(400, `The record "${name}" exists already: choose another name.`);
  }
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
