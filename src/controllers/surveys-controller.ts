import { Example, Get, Path, Queries, Response, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import type { EventNameText, InstrumentNameText } from '../domain/identifiers/names.js';
import type { RecordIdText } from '../domain/identifiers/record-id.js';
import type { FormPlace, SurveyParticipant } from '../gateways/redcap/crf-client.js';
import { sendUnlessKnown } from './tagged-answers.js';
import { CrfController } from './crf-controller.js';
import type { Problem } from '../http/send-problem.js';

/** Selects the survey of a record. */
export interface AccessCodeQuery extends FormPlace {
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

/** The participants of a survey. */
export interface ParticipantsResponse {
  data: SurveyParticipant[];
}

@Route('api/v1')
@Tags('Surveys')
@Security('apiKey', ['surveys:read'])
export class SurveysController extends CrfController {
  /**
   * Returns the link with which a participant fills in one survey. It is a credential: keep it out of logs and caches.
   * @param record the participant's record
   * @param instrument the survey
   * @summary Get the link to a survey
   */
  @Get('records/{record}/surveys/{instrument}/link')
  @SuccessResponse(200, 'The link')
  @Example<SurveyLinkResponse>({ data: { link: 'https://redcap.example.org/surveys/?s=Ab3dEf6hIj9kLm2n' } })
  async getSurveyLink(
    @Path() record: RecordIdText,
    @Path() instrument: InstrumentNameText,
    @Queries() query: FormPlace,
  ): Promise<SurveyLinkResponse> {
    const place = { record, instrument, ...query };
    return { data: { link: await this.crf.surveys.getLink(place, this.call) } };
  }

  /**
   * Returns the code with which a participant returns to a saved survey. It is a credential: keep it out of logs and
   * caches.
   * @param record the participant's record
   * @param instrument the survey; it must allow participants to save and return later
   * @summary Get the return code of a survey
   */
  @Get('records/{record}/surveys/{instrument}/return-code')
  @SuccessResponse(200, 'The code')
  @Example<SurveyCodeResponse>({ data: { code: '4XK9RT2M' } })
  async getSurveyReturnCode(
    @Path() record: RecordIdText,
    @Path() instrument: InstrumentNameText,
    @Queries() query: FormPlace,
  ): Promise<SurveyCodeResponse> {
    const place = { record, instrument, ...query };
    return { data: { code: await this.crf.surveys.getReturnCode(place, this.call) } };
  }

  /**
   * Returns the link to all open surveys of a participant. It is a credential: keep it out of logs and caches.
   * @param record the participant's record
   * @summary Get the link to a survey queue
   */
  @Get('records/{record}/surveys/queue-link')
  @SuccessResponse(200, 'The link')
  @Example<SurveyLinkResponse>({ data: { link: 'https://redcap.example.org/surveys/?sq=Ab3dEf6hIj9kLm2n' } })
  async getSurveyQueueLink(@Path() record: RecordIdText): Promise<SurveyLinkResponse> {
    return { data: { link: await this.crf.surveys.getQueueLink(record, this.call) } };
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
      data: { code: await this.crf.surveys.getAccessCode({ instrument, ...query }, this.call) },
    };
  }

  /**
   * Returns the participants of a survey, in REDCap's order, with the link and access code of each. Both are credentials:
   * keep them out of logs and caches.
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
    const data = await this.crf.surveyParticipants({ instrument, ...query }, this.call);
    return sendUnlessKnown(this.request, { data }, 'no-store');
  }
}
