import type { DataDictionary } from '../dictionary/data-dictionary.js';
import type { LogicProblem } from './logic-problem.js';

/** What a project says of the names in its logic. */
export interface LogicProject {
  readonly dictionary: DataDictionary;
  /** Unique event names; empty in a classic project, undefined when they could not be asked for. */
  readonly events?: readonly string[] | undefined;
  /** Undefined when they could not be asked for: a code that is no choice may be one of them then. */
  readonly missingDataCodes?: readonly string[] | undefined;
}

/** Where findings go. */
export interface FindingList {
  readonly errors: LogicProblem[];
  readonly notes: LogicProblem[];
}
