import { Example, Get, Path, Queries, Response, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import { CrfController } from './crf-controller.js';
import type { EventNameText, InstrumentNameText, RecordIdText, RepeatInstanceNumber } from './wire-types.js';
import type { Problem } from './problem.js';

/** Selects one survey of a record. */
export interface SurveyPlaceQuery {
  /** The event; required in longitudinal projects. */
  event?: EventNameText;
  /** The instance of a repeating instrument or event; 1 by default. */
  repeatInstance?: RepeatInstanceNumber;
}

/** Selects the survey of a record. */
export interface AccessCodeQuery extends SurveyPlaceQuery {
  /** The record id. */
  record: RecordIdText;
}

/** Selects the event of a survey. */
export interface ParticipantsQuery {
  /** The event; required in longitudinal projects. */
  event?: EventNameText;
}

/** A survey link. Anyone who has it can fill in the survey. */
export interface SurveyLinkResponse {
  data: {
    /** @example "https://redcap.example.org/surveys/?s=Ab3dEf6hIj9kLm2n" */
    link: string;
  };
}

/** A survey code. Anyone who has it can open the survey. */
export interface SurveyCodeResponse {
  data: {
    /** @example "4XK9RT2M" */
    code: string;
  };
}

/** A participant of a survey. */
export interface ParticipantResponse {
  /** The email address; blank for a participant who was not invited by email. */
  email: string;
  /** @isInt */
  emailOccurrence: number;
  /** The name by which people identify the participant; blank for none. */
  identifier: string;
  /** The record id; blank unless the participant is identified. */
  record: string;
  isInvitationSent: boolean;
  /**
   * The time of the invitation, with an offset if the time zone of REDCap's server is configured, otherwise in the
   * server's local time. Often blank even if an invitation was sent.
   */
  invitationSentAt: string;
  /** How much of the survey is filled in. */
  response: 'none' | 'partial' | 'complete';
  /** The access code. Anyone who has it can open the survey. */
  accessCode: string;
  /** The survey link. Anyone who has it can fill in the survey. */
  link: string;
}

/** The participants of a survey. */
export interface ParticipantsResponse {
  data: ParticipantResponse[];
}

@Route('api/v1')
@Tags('Surveys')
@Security('apiKey', ['surveys:read'])
export class SurveysController extends CrfController {
  /**
   * Returns the link with which a participant fills in one survey. It is a credential: keep it out of logs and caches.
   * @param recordId the participant's record
   * @param instrument the survey
   * @summary Get the link to a survey
   */
  @Get('records/{recordId}/surveys/{instrument}/link')
  @SuccessResponse(200, 'The link')
  @Example<SurveyLinkResponse>({ data: { link: 'https://redcap.example.org/surveys/?s=Ab3dEf6hIj9kLm2n' } })
  async getSurveyLink(
    @Path() recordId: RecordIdText,
    @Path() instrument: InstrumentNameText,
    @Queries() query: SurveyPlaceQuery,
  ): Promise<SurveyLinkResponse> {
    const place = { record: recordId, instrument, ...query };
    return { data: { link: await this.crf.surveys.link(place, this.call) } };
  }

  /**
   * Returns the code with which a participant returns to a saved survey. It is a credential: keep it out of logs and
   * caches.
   * @param recordId the participant's record
   * @param instrument the survey; it must allow participants to save and return later
   * @summary Get the return code of a survey
   */
  @Get('records/{recordId}/surveys/{instrument}/return-code')
  @SuccessResponse(200, 'The code')
  @Example<SurveyCodeResponse>({ data: { code: '4XK9RT2M' } })
  async getSurveyReturnCode(
    @Path() recordId: RecordIdText,
    @Path() instrument: InstrumentNameText,
    @Queries() query: SurveyPlaceQuery,
  ): Promise<SurveyCodeResponse> {
    const place = { record: recordId, instrument, ...query };
    return { data: { code: await this.crf.surveys.returnCode(place, this.call) } };
  }

  /**
   * Returns the link to all open surveys of a participant. It is a credential: keep it out of logs and caches.
   * @param recordId the participant's record
   * @summary Get the link to a survey queue
   */
  @Get('records/{recordId}/surveys/queue-link')
  @SuccessResponse(200, 'The link')
  @Example<SurveyLinkResponse>({ data: { link: 'https://redcap.example.org/surveys/?sq=Ab3dEf6hIj9kLm2n' } })
  async getSurveyQueueLink(@Path() recordId: RecordIdText): Promise<SurveyLinkResponse> {
    return { data: { link: await this.crf.surveys.queueLink(recordId, this.call) } };
  }

  /**
   * Returns the code that opens the survey of a record when entered on REDCap's survey page. It is a credential: keep
   * it out of logs and caches. REDCap 15 or later.
   * @param instrument the survey
   * @summary Get the access code of a survey
   */
  @Get('surveys/{instrument}/access-code')
  @SuccessResponse(200, 'The code')
  @Response<Problem>(404, 'record_not_found: the project has no such record')
  @Example<SurveyCodeResponse>({ data: { code: 'H7KX3W9RT' } })
  async getSurveyAccessCode(
    @Path() instrument: InstrumentNameText,
    @Queries() query: AccessCodeQuery,
  ): Promise<SurveyCodeResponse> {
    return {
      data: { code: await this.crf.surveys.accessCode({ instrument, ...query }, this.call) },
    };
  }

  /**
   * Returns the participants of a survey, with the link and access code of each. Both are credentials: keep them out of
   * logs and caches.
   * @param instrument the survey
   * @summary List the participants of a survey
   */
  @Get('surveys/{instrument}/participants')
  @SuccessResponse(200, 'The participants')
  @Example<ParticipantsResponse>({
    data: [
      {
        email: 'ada@example.org',
        emailOccurrence: 1,
        identifier: '',
        record: '',
        isInvitationSent: true,
        invitationSentAt: '2026-01-31T08:15:00+01:00',
        response: 'partial',
        accessCode: 'H7KX3W9RT',
        link: 'https://redcap.example.org/surveys/?s=Ab3dEf6hIj9kLm2n',
      },
    ],
  })
  async listSurveyParticipants(
    @Path() instrument: InstrumentNameText,
    @Queries() query: ParticipantsQuery,
  ): Promise<ParticipantsResponse> {
    return { data: await this.crf.surveyParticipants({ instrument, ...query }, this.call) };
  }
}
