import type { Field } from '../../domain/dictionary/field.js';
import { UpstreamForbiddenError, UpstreamRejectedError } from '../../domain/errors/upstream-errors.js';
import type { CrfClient, Instrument, ProjectEvent, ProjectInfo } from '../../gateways/redcap/crf-client.js';
import { type ListName, PROJECT_LISTS, type ProjectList } from '../lists.js';
import { shapeDifferences } from './row-shape.js';

/** The project of a conformance run, as read before the first operation. */
export interface Subject {
  readonly project: ProjectInfo;
  readonly fields: readonly Field[];
  readonly idField: string;
  readonly instruments: readonly Instrument[];
  /** Empty in a classic project. */
  readonly events: readonly ProjectEvent[];
  /** An existing record and one of its events; undefined in an empty project. */
  readonly record: { readonly id: string; readonly event: string | undefined } | undefined;
  /** An instrument that is designated for the event of the record; undefined if none is. */
  readonly instrument: string | undefined;
  /** Whether the project has so few rows of records that all of them can be requested in one document. */
  readonly isSmall: boolean;
  /** An instrument that is a survey; undefined if there is none or it cannot be determined. */
  readonly survey: string | undefined;
  /** The number of a report, which the API cannot list; undefined if none was given. */
  readonly report: number | undefined;
  /**
   * A file field of the instrument with the record ID, where a record that has only its ID can hold a file. Undefined
   * if there is none, or if the instrument is not designated for the first event.
   */
  readonly fileField: string | undefined;
}

export interface Probe {
  readonly client: CrfClient;
  readonly subject: Subject;
  /** The name of a record that only this run uses. It is random, so no project has it already. */
  readonly scratchRecord: string;
}

/** Returns why an operation does not apply to a project; undefined if it does. */
type NotFor = (subject: Subject) => string | undefined;

/** What has to hold, by the difference that is reported otherwise, or the differences: words without values of the project. */
export type Findings = Readonly<Record<string, boolean>> | readonly string[];

/**
 * One operation of the client library, with its check. `crf conformance` runs it against a server, the contract tests
 * run it against the sandbox.
 */
export interface Operation {
  /** The method of the client: `dags.list`. */
  readonly name: string;
  readonly content: string;
  readonly action: string;
  /** The section of docs/protocol/redcap.md that specifies the response. */
  readonly section: string;
  readonly isWrite: boolean;
  readonly notFor: NotFor;
  /** Whether status 400 means that the project does not have the feature, rather than an error. */
  readonly mayBeRefused: boolean;
  /**
   * Makes the call, and reverts what it changed.
   *
   * @returns the differences between response and documentation, in words without values of the project
   */
  readonly run: (probe: Probe) => Promise<readonly string[]>;
}

const operation =
  (isWrite: boolean) =>
  /**
   * @param call the content and the action of REDCap's API
   * @param run makes the call, and reverts what it changed
   */
  (
    name: string,
    call: string,
    section: string,
    notFor: NotFor,
    run: (probe: Probe) => Promise<Findings>,
    mayBeRefused = false,
  ): Operation => {
    const [content = '', action = ''] = call.split('/');
    const rules = { isWrite, notFor, mayBeRefused };
    return {
      name,
      content,
      action,
      section,
      ...rules,
      run: async (probe) => differencesIn(await run(probe)),
    };
  };

export const read = operation(false);
export const write = operation(true);

export function differencesIn(found: Findings): readonly string[] {
  if (Array.isArray(found)) return found as readonly string[];
  return Object.entries(found).flatMap(([difference, holds]) => (holds ? [] : [difference]));
}

export const forAll: NotFor = () => undefined;

export const classicHasNone: NotFor = ({ project }) =>
  project.isLongitudinal ? undefined : 'the project is classic';

export const nothingRepeats: NotFor = ({ project }) =>
  project.hasRepeatingInstrumentsOrEvents ? undefined : 'nothing repeats in the project';

export const emptyHasNone: NotFor = ({ record }) =>
  record === undefined ? 'the project has no record' : undefined;

type EntriesOf<Name extends ListName> = Awaited<ReturnType<(typeof PROJECT_LISTS)[Name]['list']>>;

/**
 * Returns the operation that reads a list of the project, and compares REDCap's rows with their documentation.
 *
 * @param findingsIn what else has to hold for the entries
 */
export function readList<Name extends ListName>(
  name: Name,
  notFor = forAll,
  findingsIn: (entries: EntriesOf<Name>, subject: Subject) => Findings = () => [],
): Operation {
  const list: ProjectList = PROJECT_LISTS[name];
  const [method, content, section] = list.source;
  return read(method, `${content}/export`, section, notFor, async ({ client, subject }) => {
    const entries = (await list.list(client)) as EntriesOf<Name>;
    const differences = await shapeDifferences(client, content, list.wire, list.parameters);
    return [...differencesIn(findingsIn(entries, subject)), ...differences];
  });
}

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
    client.project.getInfo(),
    client.fields.list(),
    client.instruments.list(),
  ]);
  const idField = fields[0]?.name ?? '';
  const events = project.isLongitudinal ? await client.events.list() : [];
  const mappings = project.isLongitudinal ? await client.mappings.list() : [];
  const isAt = (event: string | undefined, instrument: string | undefined) =>
    !project.isLongitudinal ||
    mappings.some((entry) => entry.event === event && entry.instrument === instrument);
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
      await client.surveys.listParticipants({ instrument, event });
      return instrument;
    } catch (error) {
      // The survey operations themselves report a missing right.
      if (error instanceof UpstreamForbiddenError) return instrument;
      if (!(error instanceof UpstreamRejectedError)) return undefined;
    }
  }
  return undefined;
}
