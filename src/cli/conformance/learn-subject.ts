import { UpstreamForbiddenError, UpstreamRejectedError } from '../../domain/errors/upstream-errors.js';
import type { CrfClient, Instrument } from '../../gateways/redcap/crf-client.js';
import type { Subject } from './operation.js';

/** Rows up to which a project is small. */
export const SMALL_LIMIT = 50;

/**
 * Reads what the project contains, so that each operation can request something that exists.
 *
 * @param report the number of a report to read
 * @throws any error of the client: without the project and its dictionary, no operation can be tried
 */
export async function learnSubject(client: CrfClient, report: number | undefined): Promise<Subject> {
  const [project, fields, instruments] = await Promise.all([
    client.getProjectInfo(),
    client.getMetadata(),
    client.instruments.export(),
  ]);
  const idField = fields[0]?.name ?? '';
  const events = project.isLongitudinal ? await client.events.export() : [];
  const mappings = project.isLongitudinal ? await client.instruments.exportEventMappings() : [];
  const isAt = (event: string | undefined, instrument: string | undefined) =>
    !project.isLongitudinal ||
    mappings.some((entry) => entry.uniqueEventName === event && entry.instrument === instrument);
  const rows = await client.exportRecords({ fields: [idField], limit: SMALL_LIMIT + 1 });
  const [row] = rows;
  const record = row && {
    id: String(row[idField]),
    event: project.isLongitudinal ? String(row.redcap_event_name) : undefined,
  };
  const survey = project.surveysEnabled
    ? await firstSurvey(client, instruments, record?.event ?? events[0]?.uniqueName)
    : undefined;
  const instrument = instruments.find(({ name }) => isAt(record?.event, name))?.name;
  const fileField = fields.find(
    ({ type, instrument: name }) =>
      type === 'file' && name === fields[0]?.instrument && isAt(events[0]?.uniqueName, name),
  )?.name;
  const isSmall = rows.length <= SMALL_LIMIT;
  const learnt = { project, fields, idField, instruments, instrument, events };
  return { ...learnt, record, isSmall, survey, report, fileField };
}

/**
 * Finds the first survey. The API does not list surveys, so this returns the first instrument with a participant list.
 */
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
      // The survey operations themselves report a missing right.
      if (error instanceof UpstreamForbiddenError) return instrument;
      if (!(error instanceof UpstreamRejectedError)) return undefined;
    }
  }
  return undefined;
}
