import { ServerTime } from './server-time.js';
import type {
  CallOptions,
  CrfClient,
  SurveyParticipant,
  SurveyPlace,
} from '../gateways/redcap/crf-client.js';

/**
 * Links and codes of surveys. Each of them opens a survey for whoever has it: they are answered and kept nowhere, and
 * stand in no log.
 */
export class SurveyService {
  constructor(
    private readonly client: { readonly surveys: CrfClient['surveys'] },
    private readonly time = new ServerTime(undefined),
  ) {}

  link(place: SurveyPlace, call?: CallOptions): Promise<string> {
    return this.client.surveys.link(place, call);
  }

  queueLink(record: string, call?: CallOptions): Promise<string> {
    return this.client.surveys.queueLink(record, call);
  }

  returnCode(place: SurveyPlace, call?: CallOptions): Promise<string> {
    return this.client.surveys.returnCode(place, call);
  }

  accessCode(place: SurveyPlace, call?: CallOptions): Promise<string> {
    return this.client.surveys.accessCode(place, call);
  }

  /** The moments have an offset where the time zone of REDCap's server is known. */
  async participants(
    survey: Pick<SurveyPlace, 'instrument' | 'event'>,
    call?: CallOptions,
  ): Promise<SurveyParticipant[]> {
    const participants = await this.client.surveys.participants(survey, call);
    return participants.map((participant) => ({
      ...participant,
      invitationSentAt: participant.invitationSentAt && this.time.toText(participant.invitationSentAt),
    }));
  }
}
