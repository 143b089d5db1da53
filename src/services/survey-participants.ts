import type { CallOptions, CrfCalls, SurveyParticipant, SurveyPlace } from '../gateways/redcap/crf-client.js';
import type { ServerTime } from '../domain/dictionary/server-time.js';

/** Lists the participants of a survey. Times have an offset if the time zone of REDCap's server is known. */
export async function surveyParticipants(
  { surveys }: Pick<CrfCalls, 'surveys'>,
  time: ServerTime,
  survey: Pick<SurveyPlace, 'instrument' | 'event'>,
  call?: CallOptions,
): Promise<SurveyParticipant[]> {
  const participants = await surveys.listParticipants(survey, call);
  return participants.map((participant) => ({
    ...participant,
    invitationSentAt: participant.invitationSentAt && time.toText(participant.invitationSentAt),
  }));
}
