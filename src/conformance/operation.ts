import type { Field } from '../dictionary/field.js';
import type { CrfClient, Instrument, ProjectEvent, ProjectInfo } from '../gateways/redcap/crf-client.js';

/** The project that a conformance run asks about, as far as it is known before the first operation. */
export interface Subject {
  readonly project: ProjectInfo;
  readonly fields: readonly Field[];
  readonly idField: string;
  readonly instruments: readonly Instrument[];
  /** Empty in a classic project. */
  readonly events: readonly ProjectEvent[];
  /** A record that exists, at an event of it; undefined in an empty project. */
  readonly record: { readonly id: string; readonly event: string | undefined } | undefined;
  /** An instrument that is a survey; undefined where the project has none, or does not say. */
  readonly survey: string | undefined;
  /** The number of a report, which nothing of the API lists; undefined where nobody named one. */
  readonly report: number | undefined;
  /** A file field of the instrument with the record ID, which every record has; undefined for none. */
  readonly fileField: string | undefined;
}

/** What an operation has to work with. */
export interface Probe {
  readonly client: CrfClient;
  readonly subject: Subject;
  /** The name of a record of this run alone: no project has it before. */
  readonly scratchRecord: string;
}

/**
 * One operation of the client library, as it is tried on a REDCap. `crf conformance` tries it on a server, the contract
 * tests on the sandbox.
 */
export interface Operation {
  /** As it is called on the client: `dags.export`. */
  readonly name: string;
  readonly content: string;
  readonly action: string;
  /** The section of docs/protocol/redcap.md that says what the answer is. */
  readonly section: string;
  readonly isWrite: boolean;
  /** Why there is nothing to ask this project; undefined where there is. */
  readonly notFor?: (subject: Subject) => string | undefined;
  /** Whether a 400 says that the project does not have the feature, rather than that something is wrong. */
  readonly mayBeRefused?: boolean;
  /**
   * Makes the call, and undoes what it has changed.
   *
   * @returns in what the answer differs from the document, in words that hold no value of the project
   */
  readonly run: (probe: Probe) => Promise<readonly string[]>;
}

export function read(
  name: string,
  [content, action]: readonly [string, string],
  section: string,
  run: Operation['run'],
  rules: Pick<Operation, 'notFor' | 'mayBeRefused'> = {},
): Operation {
  return { name, content, action, section, isWrite: false, run, ...rules };
}

export function write(
  name: string,
  [content, action]: readonly [string, string],
  section: string,
  run: Operation['run'],
  rules: Pick<Operation, 'notFor' | 'mayBeRefused'> = {},
): Operation {
  return { name, content, action, section, isWrite: true, run, ...rules };
}

/** A difference where a fact does not hold; none where it does. */
export function unless(holds: boolean, difference: string): readonly string[] {
  return holds ? [] : [difference];
}

export const classicHasNone = ({ project }: Subject): string | undefined =>
  project.isLongitudinal ? undefined : 'the project is classic';

export const emptyHasNone = ({ record }: Subject): string | undefined =>
  record === undefined ? 'the project has no record' : undefined;
