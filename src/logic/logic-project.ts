import type { DataDictionary } from '../dictionary/data-dictionary.js';
import type { LogicProblem } from './logic-problem.js';

/** The names of a project that its logic can use. */
export interface LogicProject {
  readonly dictionary: DataDictionary;
  /** Unique event names; empty in a classic project, undefined if they could not be read. */
  readonly events?: readonly string[] | undefined;
  /** Undefined if they could not be read. An unknown code may then be one of them. */
  readonly missingDataCodes?: readonly string[] | undefined;
}

/** Collects findings. */
export interface FindingList {
  readonly errors: LogicProblem[];
  readonly notes: LogicProblem[];
}
