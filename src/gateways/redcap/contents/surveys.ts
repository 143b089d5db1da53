import * as z from 'zod';
import {
  argument,
  options,
  strictObject,
  type Shape,
  type OrUndefined,
} from '../../../domain/identifiers/check-options.js';
import { eventName, instrumentName, positiveInteger, recordId } from './argument-values.js';
import { CALL, type CallOptions } from '../call-options.js';
import type { WireParameters } from '../wire-parameters.js';
import { integer, renamed, text } from './answer-values.js';
import { content, type ContentCalls } from './content-calls.js';
import type { FormPlace } from './files.js';

/** Identifies a survey by its record, instrument, event and repeat instance. */
export interface SurveyPlace extends OrUndefined<FormPlace> {
  readonly record: string;
  readonly instrument: string;
}

/** A participant of a survey. */
export interface SurveyParticipant {
  /** The email address; blank for a participant who was not invited by email. */
  readonly email: string;
  /** @isInt */
  readonly emailOccurrence: number;
  /** The name by which people identify the participant; blank for none. */
  readonly identifier: string;
  /** The record id; blank unless the participant is identified. */
  readonly record: string;
  readonly isInvitationSent: boolean;
  /**
   * The time of the invitation, with an offset if the time zone of REDCap's server is configured, otherwise in the
   * server's local time. Often blank even if an invitation was sent.
   */
  readonly invitationSentAt: string;
  /** How much of the survey is filled in. */
  readonly response: 'none' | 'partial' | 'complete';
  /** The access code. Anyone who has it can open the survey. */
  readonly accessCode: string;
  /** The survey link. Anyone who has it can fill in the survey. */
  readonly link: string;
}

export const RESPONSES = ['none', 'partial', 'complete'] as const;

export const PARTICIPANT_COLUMNS = {
  email: ['email', text],
  emailOccurrence: ['email_occurrence', integer.catch(1)],
  identifier: ['identifier', text],
  record: ['record', text],
  isInvitationSent: ['invitation_sent_status', text.transform((status) => status === '1')],
  invitationSentAt: ['invitation_send_time', text],
  response: ['response_status', integer.catch(0).transform((status) => RESPONSES[status] ?? 'none')],
  accessCode: ['survey_access_code', text],
  link: ['survey_link', text],
} as const;

const ParticipantRows: z.ZodType<SurveyParticipant[]> = z.array(renamed(PARTICIPANT_COLUMNS));

const LINK = /^https?:\/\/\S{1,2000}$/;

/** 8 or 9 capital letters or digits; more are not refused, but the text of an empty answer such as `null` is. */
const CODE = /^[A-Z0-9]{8,32}$/;

/**
 * The contents about surveys. Their answers are credentials: anyone who has one can fill in the survey, so they must
 * not appear in logs, caches or URLs of other services.
 *
 * @see docs/protocol/redcap.md 12 (client, doc)
 */
export class Surveys {
  constructor(private readonly calls: ContentCalls) {}

  /** Returns the link with which a participant fills in one survey. */
  async getLink(place: SurveyPlace, options: CallOptions = {}): Promise<string> {
    return this.calls.askText({ content: 'surveyLink', ...toParameters(place) }, LINK, options);
  }

  /** Returns the link to all pending surveys of a participant. */
  async getQueueLink(record: string, options: CallOptions = {}): Promise<string> {
    return this.calls.askText({ content: 'surveyQueueLink', record }, LINK, options);
  }

  /** Returns the code with which a participant returns to a saved survey. */
  async getReturnCode(place: SurveyPlace, options: CallOptions = {}): Promise<string> {
    return this.calls.askText({ content: 'surveyReturnCode', ...toParameters(place) }, CODE, options);
  }

  /** Returns the code that a participant types in to open a survey. REDCap 15 and later. */
  async getAccessCode(place: SurveyPlace, options: CallOptions = {}): Promise<string> {
    return this.calls.askText({ content: 'surveyAccessCode', ...toParameters(place) }, CODE, options);
  }

  async listParticipants(
    { instrument, event }: Pick<SurveyPlace, 'instrument' | 'event'>,
    options: CallOptions = {},
  ): Promise<SurveyParticipant[]> {
    return this.calls.ask({ content: 'participantList', instrument, event }, ParticipantRows, options);
  }
}

function toParameters({ instance, ...place }: SurveyPlace): WireParameters {
  return { ...place, repeat_instance: instance };
}

const PLACE = {
  record: recordId,
  instrument: instrumentName,
  event: eventName.optional(),
  instance: positiveInteger.optional(),
} satisfies Shape<SurveyPlace>;

const place = argument('place', strictObject(PLACE, 'a property'));
const survey = argument(
  'survey',
  strictObject({ instrument: PLACE.instrument, event: PLACE.event }, 'a property'),
);

export const SURVEYS = content(Surveys, {
  getLink: [place, options(CALL)],
  getQueueLink: [argument('record', recordId), options(CALL)],
  getReturnCode: [place, options(CALL)],
  getAccessCode: [place, options(CALL)],
  listParticipants: [survey, options(CALL)],
});
