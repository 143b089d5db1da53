import { createHash } from 'node:crypto';
import { formStatusName } from '../../../domain/dictionary/export-column.js';
import type { ContentCall } from '../content.js';
import { placeKey } from '../project-structure.js';
import { findRecord } from '../records/record-actions.js';
import type { StoredRecord } from '../records/record-store.js';
import { type Answer, tableAnswer } from '../../../wire/answer.js';
import { ApiFailure, invalidParameter } from '../../../wire/api-failure.js';

/*
 * The survey contents are in one file, since they read the same parameters and differ only in the answer.
 * See docs/protocol/redcap.md 12 (client, doc).
 */

/** The address of a survey for a record. */
export function exportSurveyLink(call: ContentCall): Answer {
  return text(linkOf(call, ...placeOf(call)));
}

/** The address of a record's survey queue. */
export function exportQueueLink(call: ContentCall): Answer {
  requireSurveys(call);
  return text(`${call.project.publicUrl}surveys/?sq=${codeOf('queue', 16, call, recordOf(call))}`);
}

/** The code with which a participant returns to a survey saved for later. */
export function exportReturnCode(call: ContentCall): Answer {
  const place = placeOf(call);
  if (call.project.survey(place[1])?.hasReturnCodes !== true) {
    throw new ApiFailure(400, 'The "Save & Return Later" option is not enabled for this survey');
  }
  return text(codeOf('return', 8, call, ...place).toUpperCase());
}

/** The code that a participant enters instead of following the link. */
export function exportAccessCode(call: ContentCall): Answer {
  return text(codeOf('access', 9, call, ...placeOf(call)).toUpperCase());
}

/**
 * Lists the participants of a survey: the records whose form was saved at the event, and those whose link or code was
 * requested. Where the survey repeats, the link and the response are those of the first instance. The sandbox sends no
 * invitations, so email addresses and identifiers are blank.
 *
 * @see docs/protocol/redcap.md 20 (client)
 */
export function exportParticipants(call: ContentCall): Answer {
  const { project, caller } = call;
  const instrument = surveyOf(call);
  const event = eventOf(call, instrument);
  const status = formStatusName(instrument);
  const place = project.placeOf(event, instrument, 1);
  const records = project.records
    .inOrder()
    .filter((record) => caller.sees(record))
    .filter(
      (record) =>
        record.requestedSurveys.has(placeKey(event, instrument)) ||
        [...record.rows].some((row) => row.event === event && row.values.has(status)),
    );
  return tableAnswer<StoredRecord>(records, {
    email: () => '',
    email_occurrence: () => 1,
    identifier: () => '',
    record: () => '',
    invitation_sent_status: () => 0,
    invitation_send_time: () => '',
    response_status: (record) => RESPONSES.get(record.row(place)?.values.get(status) ?? '') ?? 0,
    survey_access_code: ({ id }) => codeOf('access', 9, call, id, instrument, event, '1').toUpperCase(),
    survey_link: ({ id }) => linkOf(call, id, instrument, event, '1'),
  });
}

/** Maps the form status to `response_status`: 1 partial, 2 complete; a form that was never saved has 0. */
const RESPONSES: ReadonlyMap<string, number> = new Map([
  ['0', 1],
  ['1', 1],
  ['2', 2],
]);

/** Answers in plain text, whatever the format. @see docs/protocol/redcap.md 1.8 (client) */
function text(body: string): Answer {
  return { kind: 'text', text: body };
}

/** Returns the record, instrument, event and instance that a link or code belongs to. */
function placeOf(call: ContentCall): [string, string, string, string] {
  const instrument = surveyOf(call);
  const instance = call.parameters.text('repeat_instance') || '1';
  if (!/^[1-9]\d{0,4}$/.test(instance)) throw invalidParameter('repeat_instance');
  const [record, event] = [recordOf(call), eventOf(call, instrument)];
  call.project.records.get(record)?.requestedSurveys.add(placeKey(event, instrument));
  return [record, instrument, event, instance];
}

function requireSurveys({ project }: ContentCall): void {
  if (!project.study.project.surveysEnabled)
    throw new ApiFailure(400, 'Surveys are not enabled in this project');
}

/** @throws {ApiFailure} 400 if the instrument is not a survey; the server's actual message is unknown (choice) */
function surveyOf(call: ContentCall): string {
  requireSurveys(call);
  const instrument = call.parameters.text('instrument');
  if (call.project.instrument(instrument) === undefined) throw invalidParameter('instrument');
  if (call.project.survey(instrument) === undefined) {
    throw new ApiFailure(400, `The instrument "${instrument}" is not enabled as a survey`);
  }
  return instrument;
}

function recordOf(call: ContentCall): string {
  return findRecord(call, call.parameters.text('record')).id;
}

/** @throws {ApiFailure} 400 without the event, or if the instrument is not designated for it (message: choice) */
function eventOf({ project, parameters }: ContentCall, instrument: string): string {
  if (!project.isLongitudinal) return '';
  const event = parameters.text('event');
  if (project.event(event) === undefined) throw invalidParameter('event');
  if (!project.isMapped(event, instrument)) {
    throw new ApiFailure(
      400,
      `The instrument "${instrument}" is not enabled as a survey in the event "${event}"`,
    );
  }
  return event;
}

function linkOf(call: ContentCall, ...place: string[]): string {
  return `${call.project.publicUrl}surveys/?s=${codeOf('link', 16, call, ...place)}`;
}

/** Letters and digits that are always the same for one place, and differ between projects. */
function codeOf(kind: string, length: number, { project }: ContentCall, ...place: string[]): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([project.id, kind, ...place]))
    .digest('hex');
  return BigInt(`0x${digest}`).toString(36).padStart(40, '0').slice(0, length);
}
