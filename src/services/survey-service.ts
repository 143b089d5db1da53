import type { ServerTime } from './server-time.js';
import type {
  CallOptions,
  CrfClient,
  SurveyParticipant,
  SurveyPlace,
} from '../gateways/redcap/crf-client.js';

/**
 * Survey links and codes. Each one allows its holder to open a survey, so they are returned but never stored or logged.
 */
export class SurveyService {
  constructor(
    private readonly client: { readonly surveys: CrfClient['surveys'] },
    private readonly time: ServerTime,
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

  /** Lists the participants of a survey. Times have an offset if the time zone of REDCap's server is known. */
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
