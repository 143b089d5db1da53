import { say } from '../../domain/errors/sentences.js';
import type { DataDictionary } from '../../domain/dictionary/data-dictionary.js';
import { nearestName } from '../../domain/identifiers/nearest-name.js';
import { isFieldName } from '../../domain/identifiers/names.js';
import { STRUCTURE } from './column-checks.js';
import type { Meant, ProblemList } from './problem-list.js';

/** How many names get a suggestion. Each one is searched for in the whole dictionary, which may have 35,000 fields. */
const MAX_SUGGESTIONS = 10;

/** Reports columns that the project does not have, once each, with the name that was most likely meant. */
export class UnknownColumns {
  #suggestions = 0;

  constructor(private readonly dictionary: DataDictionary) {}

  /**
   * @param index position of the column in its row, from 0. It is reported instead of a name that cannot be a field
   *   name, because such a name might be a value.
   */
  tell(name: string, index: number, problems: ProblemList): void {
    if (!problems.isNew(name)) return;
    if (name === '') {
      problems.add(`column ${index + 1}`, say('no_name'));
      return;
    }
    const nearest = this.nearest(name);
    // A name that differs from that of a field only in case, as RECORD_ID does, is no value.
    const isName = isFieldName(name) || name.toLowerCase() === nearest;
    problems.add(isName ? name : `column ${index + 1}`, say('unknown_field'), meantBy(nearest));
  }

  /** @returns the column that was most likely meant, found by its name or by the label given instead of it */
  nearest(name: string): string | undefined {
    if (this.#suggestions++ >= MAX_SUGGESTIONS) return undefined;
    const { fields } = this.dictionary;
    const field = fields.find(({ name: own, type }) => own === name && type === 'checkbox');
    // A checkbox field has one column per choice.
    if (field !== undefined)
      return this.dictionary.exportColumns().find((column) => column.field === field)?.name;
    const label = name.trim().toLowerCase();
    const labelled = fields.find(
      (candidate) => label !== '' && candidate.label.trim().toLowerCase() === label,
    );
    return labelled?.name ?? nearestName(name, this.#names());
  }

  *#names(): Generator<string, void, undefined> {
    yield* STRUCTURE;
    for (const { name } of this.dictionary.exportColumns()) yield name;
  }
}

/** Says which column was most likely meant by an unknown one. */
export function meantBy(suggestion: string | undefined): Meant {
  return suggestion === undefined ? {} : { suggestion, words: `; did you mean ${suggestion}?` };
}
