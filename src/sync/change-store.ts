import type { ProjectStructure } from '../domain/dictionary/project-structure.js';
import type { Arm, DataAccessGroup, Instrument, RecordRow } from '../gateways/redcap/crf-client.js';
import type { LogState } from './log-window.js';

/** What happened to a record between two looks. States in between may have been merged. */
export type Change =
  | { readonly type: 'created' | 'changed' | 'regrouped' | 'deleted'; readonly record: string }
  | { readonly type: 'renamed'; readonly record: string; readonly from: string };

/** What is known of a record: enough to notice that it changed. */
export interface KnownRecord {
  /** A keyed hash of its content, without its id and its group. */
  readonly hash: string;
  /** The unique name of its data access group; empty if there is none. */
  readonly group: string;
  /** The number of the sweep that read it last. */
  readonly swept: number;
}

/** A record as REDCap has it now. */
export interface FreshRecord extends KnownRecord {
  readonly record: string;
  readonly rows: readonly RecordRow[];
  /** What is new about it; empty if it was only read again. */
  readonly changes: readonly Change[];
}

/** What the engine remembers between two looks, apart from the records. */
export interface EngineState {
  /** The key of the hashes, in hexadecimal digits. */
  readonly key: string;
  readonly project: number;
  /** A digest of the structure that the records were last swept with. */
  readonly structure: string;
  /** The digest of a list of records that was found equal to what is known; empty if none was. */
  readonly listed: string;
  readonly log: LogState;
  /** The number of the last sweep that began, from 1. */
  readonly sweep: number;
  /** Whether that sweep still has records to read. */
  readonly isSweeping: boolean;
  /** When that sweep began, in milliseconds. */
  readonly sweptAt: number;
  /** When to sweep once more, in milliseconds, since a replica may have answered an older state; 0 for not at all. */
  readonly againAt: number;
}

/** What the names of a project mean, each list in its order. */
export interface ProjectLists {
  readonly arms: readonly Arm[];
  readonly instruments: readonly Instrument[];
  /** Undefined if the token's user may not read them. */
  readonly groups: readonly DataAccessGroup[] | undefined;
}

/** One step: all of it is stored, or nothing. */
export interface Step {
  /** What the records are to be read with. */
  readonly structure: ProjectStructure;
  /** What there is now if the design has changed: then the tables follow it before anything is written. */
  readonly redesigned?: ProjectLists | undefined;
  readonly records?: readonly FreshRecord[] | undefined;
  readonly deleted?: readonly string[] | undefined;
  readonly state?: EngineState | undefined;
}

/** Where the engine keeps its state, together with the data that the state describes. */
export interface ChangeStore {
  state(): Promise<EngineState | undefined>;
  /** Returns what is known of some records; those that are unknown are left out. */
  known(records: readonly string[]): Promise<Map<string, KnownRecord>>;
  /** All known records, in any order. */
  all(): AsyncIterable<{ readonly record: string } & Pick<KnownRecord, 'group' | 'swept'>>;
  /** Stores a step in one transaction. */
  commit(step: Step): Promise<void>;
}
