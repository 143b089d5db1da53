import type { DataDictionary } from '../dictionary/data-dictionary.js';
import { nearestName } from '../identifiers/nearest-name.js';
import type { LogicProblem } from './logic-problem.js';

/** The names of a project that its logic can use. */
export interface LogicProject {
  readonly dictionary: DataDictionary;
  /** Unique event names; empty in a classic project, undefined if they could not be read. */
  readonly events?: readonly string[] | undefined;
  /** Undefined if they could not be read. An unknown code may then be one of them. */
  readonly missingDataCodes?: readonly string[] | undefined;
  /** How many unknown names may still get a suggestion; ten for each text by default. */
  readonly suggestions?: SuggestionBudget | undefined;
}

/** Limits the suggestions, because each unknown name is compared with all the names of a project. */
export class SuggestionBudget {
  #left = 10;

  /** @returns the name that was probably meant; undefined if there is none, or the limit is reached */
  nearest(name: string, candidates: () => Iterable<string>): string | undefined {
    if (this.#left === 0) return undefined;
    this.#left -= 1;
    return nearestName(name, candidates());
  }
}

/** Collects findings. */
export interface FindingList {
  readonly suggestions: SuggestionBudget;
  readonly errors: LogicProblem[];
  readonly notes: LogicProblem[];
}
