import type { Field } from '../../domain/dictionary/field.js';
import type { CrfClient, Instrument, ProjectEvent, ProjectInfo } from '../../gateways/redcap/crf-client.js';

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

/** What an operation works with. */
export interface Probe {
  readonly client: CrfClient;
  readonly subject: Subject;
  /** The name of a record that only this run uses. It is random, so no project has it already. */
  readonly scratchRecord: string;
}

/**
 * One operation of the client library, with its check. `crf conformance` runs it against a server, the contract tests
 * run it against the sandbox.
 */
export interface Operation {
  /** The method of the client: `dags.export`. */
  readonly name: string;
  readonly content: string;
  readonly action: string;
  /** The section of docs/protocol/redcap.md that specifies the response. */
  readonly section: string;
  readonly isWrite: boolean;
  /** Returns why the operation does not apply to this project; undefined if it does. */
  readonly notFor?: (subject: Subject) => string | undefined;
  /** Whether status 400 means that the project does not have the feature, rather than an error. */
  readonly mayBeRefused?: boolean;
  /**
   * Makes the call, and reverts what it changed.
   *
   * @returns the differences between response and documentation, in words without values of the project
   */
  readonly run: (probe: Probe) => Promise<readonly string[]>;
}

/** An operation that no run tries, and the reason. */
export type UntriedOperation = Pick<Operation, 'name' | 'content' | 'action' | 'section'> & {
  readonly reason: string;
};

const operation =
  (isWrite: boolean) =>
  (
    name: string,
    [content, action]: readonly [string, string],
    section: string,
    run: Operation['run'],
    rules: Pick<Operation, 'notFor' | 'mayBeRefused'> = {},
  ): Operation => ({ name, content, action, section, isWrite, run, ...rules });

export const read = operation(false);
export const write = operation(true);

/** Returns the difference, unless the expectation holds. */
export function unless(holds: boolean, difference: string): readonly string[] {
  return holds ? [] : [difference];
}

export const classicHasNone = ({ project }: Subject): string | undefined =>
  project.isLongitudinal ? undefined : 'the project is classic';

export const emptyHasNone = ({ record }: Subject): string | undefined =>
  record === undefined ? 'the project has no record' : undefined;
