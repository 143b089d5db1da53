import type { ContentCall } from '../content.js';
import { type DocumentPlace, EMPTY_ANSWER, fileAnswer } from '../files/document-store.js';
import { findRecord } from '../records/record-actions.js';
import { eventLabel } from '../records/export-values.js';
import type { StoredRecord } from '../records/record-store.js';
import type { Answer } from '../../../wire/answer.js';
import { ApiFailure, invalidParameter } from '../../../wire/api-failure.js';

// Files of file fields. @see docs/protocol/redcap.md 11.1 (client, doc)

export function exportFile(call: ContentCall): Answer {
  const { project, caller } = call;
  const { record, place } = placeOf(call);
  const { instrument = '', field } = project.column(place.field) ?? {};
  const right = caller.exportRight(instrument);
  // Callers who may not export identifiers still get the files of other fields. @see docs/protocol/redcap.md 20 (doc)
  if (right === 0 || (right !== 1 && field?.isIdentifier === true)) {
    throw new ApiFailure(403, 'You do not have export rights to this file');
  }
  const document = project.documents.at(place);
  if (record === undefined || document === undefined) throw noFile();
  log(call, record, 'Download uploaded document');
  return fileAnswer(document);
}

/** Creates the repeat instance if it does not exist. The record must exist. */
export function importFile(call: ContentCall): Answer {
  const { project, parameters } = call;
  const { place } = placeOf(call);
  requireEditing(call, place.field);
  if (parameters.file === undefined) throw invalidParameter('file');
  const record = findRecord(call, place.record);
  refuseForeignEvent(call, place);
  project.documents.put(place, parameters.file);
  record.rowAt(place).values.set(place.field, parameters.file.name);
  record.changedAt = project.now();
  log(call, record, 'Uploaded Document');
  return EMPTY_ANSWER;
}

/**
 * Refuses a file for an instrument that is not designated for the event, as an import of values does.
 *
 * @see docs/protocol/redcap.md 5.5 (client; for files a choice)
 */
function refuseForeignEvent({ project }: ContentCall, { event, field }: DocumentPlace): void {
  const instrument = project.column(field)?.instrument ?? '';
  if (project.isMapped(event, instrument)) return;
  throw new ApiFailure(
    400,
    `This field ('${field}') exists on an instrument that is not designated for the event named '${eventLabel(project, event)}'. You are not allowed to import data for this field into this event.`,
  );
}

export function deleteFile(call: ContentCall): Answer {
  const { project } = call;
  const { record, place } = placeOf(call);
  requireEditing(call, place.field);
  const row = record?.row(place);
  if (record === undefined || row === undefined || !row.values.has(place.field)) throw noFile();
  project.documents.take(place);
  row.values.delete(place.field);
  record.changedAt = project.now();
  log(call, record, 'Deleted Document');
  return EMPTY_ANSWER;
}

/**
 * Requires the right to edit the form that the file is on.
 *
 * @throws {ApiFailure} 403
 * @see docs/protocol/redcap.md 11.1 (doc); the server's actual message is unknown (choice)
 */
function requireEditing({ project, caller }: ContentCall, field: string): void {
  if (!caller.mayEdit(project.column(field)?.instrument ?? ''))
    throw new ApiFailure(403, 'You do not have edit rights to this instrument');
}

/** Returns the error for a missing file. The server's actual message is unknown (choice). */
function noFile(): ApiFailure {
  return new ApiFailure(400, 'The requested file does not exist');
}

interface FilePlace {
  /** Undefined if the record does not exist or the caller may not see it. */
  readonly record: StoredRecord | undefined;
  readonly place: DocumentPlace;
}

/** @throws {ApiFailure} 400 if the field is not a file field, the event is unknown, or the instance is invalid */
function placeOf({ project, parameters, caller }: ContentCall): FilePlace {
  const [id, field] = [parameters.text('record'), parameters.text('field')];
  if (id === '') throw invalidParameter('record');
  const column = project.column(field);
  if (column?.field?.type !== 'file') {
    throw new ApiFailure(400, `The field '${field}' does not exist or is not a 'file' field`);
  }
  const event = project.isLongitudinal ? parameters.text('event') || project.firstEvent : '';
  if (project.isLongitudinal && project.event(event) === undefined) throw invalidParameter('event');
  const instance = parameters.text('repeat_instance') || '1';
  if (!/^[1-9]\d{0,4}$/.test(instance)) throw invalidParameter('repeat_instance');
  const record = project.records.get(id);
  return {
    record: record !== undefined && caller.sees(record) ? record : undefined,
    place: { ...project.placeOf(event, column.instrument, Number(instance)), record: id, field },
  };
}

/** @see docs/protocol/redcap.md 13.2, 20 (client) */
function log(
  { project, caller, parameters }: ContentCall,
  { id, group }: StoredRecord,
  action: string,
): void {
  project.log.add({
    username: caller.username,
    kind: 'document',
    action: `${action} ${id}`,
    details: parameters.text('field'),
    record: id,
    group,
  });
}
