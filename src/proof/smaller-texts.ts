import type { Field } from '../dictionary/field.js';
import type { Study } from '../sandbox/redcap/study.js';

/** The first words within brackets: `[week_arm_1][sites(2)]` has `week_arm_1` and `sites`. */
export function wordsIn(text: string): string[] {
  return [...text.matchAll(/\[\s*([a-z0-9_-]+)/gi)].map(([, word = '']) => word.toLowerCase());
}

/** How texts of the design read without what is hidden. */
export class Texts {
  readonly #hidden: ReadonlySet<string>;

  constructor(
    study: Study,
    fields: ReadonlySet<string>,
    forms: ReadonlySet<string>,
    events: ReadonlySet<string>,
    changed: ReadonlySet<string> = new Set(),
  ) {
    this.#hidden = new Set([
      ...study.fields.map(({ name }) => name).filter((name) => !fields.has(name)),
      // What is shown with other values is not what a text means.
      ...changed,
      ...study.instruments
        .filter(({ name }) => !forms.has(name))
        .flatMap(({ name }) => [name, `${name}_complete`, `${name}_timestamp`]),
      ...study.events.map(({ uniqueName }) => uniqueName).filter((name) => !events.has(name)),
    ]);
  }

  field(field: Field): Field {
    const { type, choicesOrCalculations } = field;
    const isLost = type === 'calc' && this.#isIn(choicesOrCalculations);
    return {
      ...field,
      type: isLost ? 'text' : type,
      choicesOrCalculations: isLost ? '' : this.label(choicesOrCalculations),
      sectionHeader: this.label(field.sectionHeader),
      label: this.label(field.label),
      note: this.label(field.note),
      validationMin: this.#logic(field.validationMin),
      validationMax: this.#logic(field.validationMax),
      branchingLogic: this.#logic(field.branchingLogic),
      annotation: field.annotation
        .split(/ (?=@)/)
        .filter((tag) => !this.#isIn(tag))
        .join(' '),
    };
  }

  /** A value that is piped into a text is blank. */
  label(text: string): string {
    return text.replace(/(?:\[[^[\]]+\])+/g, (chain) => (this.#isIn(chain) ? '______' : chain));
  }

  #logic(text: string): string {
    return this.#isIn(text) ? '' : text;
  }

  #isIn(text: string): boolean {
    const arguments_ = [...text.matchAll(/\[[a-z-]+:([a-z0-9_]+)/g)].map(([, word = '']) => word);
    return [...wordsIn(text), ...arguments_].some((word) => this.#hidden.has(word));
  }
}
