import { UpstreamForbiddenError, UpstreamRejectedError } from '../errors/upstream-errors.js';
import type { CrfClient, Instrument } from '../gateways/redcap/crf-client.js';
import type { Subject } from './operation.js';

/**
 * Finds out what the project has, so that each operation asks for something that exists.
 *
 * @param report the number of a report to be read
 * @throws whatever the client throws: without the project and its dictionary there is nothing to try
 */
export async function learnSubject(client: CrfClient, report: number | undefined): Promise<Subject> {
  const [project, fields, instruments] = await Promise.all([
    client.getProjectInfo(),
    client.getMetadata(),
    client.instruments.export(),
  ]);
  const idField = fields[0]?.name ?? '';
  const events = project.isLongitudinal ? await client.events.export() : [];
  const [row] = await client.exportRecords({ fields: [idField], limit: 1 });
  const record = row && {
    id: String(row[idField]),
    event: project.isLongitudinal ? String(row.redcap_event_name) : undefined,
  };
  const survey = project.surveysEnabled
    ? await firstSurvey(client, instruments, record?.event ?? events[0]?.uniqueName)
    : undefined;
  const fileField = fields.find(
    ({ type, instrument }) => type === 'file' && instrument === fields[0]?.instrument,
  )?.name;
  return { project, fields, idField, instruments, events, record, survey, report, fileField };
}

/** Nothing of the API says which instruments are surveys: the one whose participants can be listed is. */
async function firstSurvey(
  client: CrfClient,
  instruments: readonly Instrument[],
  event: string | undefined,
): Promise<string | undefined> {
  for (const { name: instrument } of instruments) {
    try {
      await client.surveys.participants({ instrument, event });
      return instrument;
    } catch (error) {
      // A missing right is reported by the operations on surveys themselves.
      if (error instanceof UpstreamForbiddenError) return instrument;
      if (!(error instanceof UpstreamRejectedError)) return undefined;
    }
  }
  return undefined;
}
