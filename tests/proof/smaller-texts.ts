import type { Field } from '../../src/domain/dictionary/field.js';
import { parseLogic } from '../../src/domain/logic/parser.js';
import type { Study } from '../../src/sandbox/redcap/study.js';

/**
 * The words within brackets, closed or not, without codes: `[week_arm_1][sites(2)]` has `week_arm_1` and `sites`, and
 * `[aggregate-mean:weight]` has `weight` too.
 */
export function wordsIn(text: string): string[] {
  return insidesOf(text).flatMap((inside) => inside.match(/\w+/g) ?? []);
}

function insidesOf(text: string): string[] {
  const [, ...opened] = text.toLowerCase().split('[');
  return opened.map((each) => (each.split(']')[0] ?? '').replace(/\([^()]*\)/, ''));
}

/** The smart variables of a text, such as `record-name`. */
export function smartVariablesIn(text: string): string[] {
  return insidesOf(text).flatMap((inside) => /^\s*([a-z]+-[a-z-]+)/.exec(inside)?.[1] ?? []);
}

/** Whether the formula of a field is no logic, and so has to count as reading everything. */
export function isUnreadable({ type, choicesOrCalculations }: Field): boolean {
  return type === 'calc' && 'problem' in parseLogic(choicesOrCalculations);
}

/** How texts of the design read without what is hidden. */
export class Texts {
  readonly #hidden: ReadonlySet<string>;

  constructor(
    private readonly study: Study,
    fields: ReadonlySet<string>,
    forms: ReadonlySet<string>,
    private readonly events: ReadonlySet<string> | undefined,
    changed: ReadonlySet<string> = new Set(),
  ) {
    this.#hidden = new Set([
      ...study.fields.map(({ name }) => name).filter((name) => !fields.has(name)),
      // What is shown with other values is not what a text means.
      ...changed,
      ...study.instruments
        .filter(({ name }) => !forms.has(name))
        .flatMap(({ name }) => [name, `${name}_complete`, `${name}_timestamp`]),
      ...study.events
        .map(({ uniqueName }) => uniqueName)
        .filter((name) => events !== undefined && !events.has(name)),
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
      annotation: this.#annotation(field.annotation),
    };
  }

  /** A tag that reads something hidden is not there, and in what is no tag, a value that is piped is blank. */
  #annotation(text: string): string {
    const parts = partsOf(text);
    const kept = parts.filter((part) => !part.startsWith('@') || !this.#isIn(part));
    return this.label(kept.length === parts.length ? text : kept.join('').trim());
  }

  /** A value that is piped into a text is blank. */
  label(text: string): string {
    return text.replace(/(?:\[[^[\]]+\])+/g, (chain) => (this.#isIn(chain) ? '______' : chain));
  }

  #logic(text: string): string {
    return this.#isIn(text) ? '' : text;
  }

  #isIn(text: string): boolean {
    return (
      wordsIn(text).some((word) => this.#hidden.has(word)) ||
      (this.events !== undefined && isOfOtherEvent(text, this.study, this.events))
    );
  }
}

/**
 * Whether something is read at an event that is not shown, or that may not be: `[previous-event-name][weight]`. What
 * stands before a bracket that is no instance is an event, unless it is a field, or a smart variable of something else.
 */
export function isOfOtherEvent(
  text: string,
  { fields }: Pick<Study, 'fields'>,
  events: ReadonlySet<string>,
): boolean {
  const before = [...text.matchAll(/\[([^[\]]+)\](?=\[(?!(?:\d+|[a-z]+-instance)\]))/gi)];
  return before.some(([, inside = '']) => {
    const name = (/^[\w-]+/.exec(inside.trim())?.[0] ?? '').toLowerCase();
    if (name.includes('-')) return name !== 'event-name' && name.endsWith('-event-name');
    return !events.has(name) && !fields.some((field) => field.name === name);
  });
}

/** The action tags of an annotation with their arguments, as in `@IF([a] = '1', @HIDDEN, '')`, and what is between them. */
function partsOf(annotation: string): string[] {
  const parts: string[] = [];
  for (let rest = annotation; rest !== ''; rest = rest.slice(parts.at(-1)?.length))
    parts.push(firstTagOf(rest) ?? rest.split(/(?<!^)(?=@[A-Z])/)[0] ?? rest);
  return parts;
}

function firstTagOf(text: string): string | undefined {
  const [tag] =
    /^@[A-Z][A-Z0-9-]*(?:\s*=\s*(?:'[^']*'?|"[^"]*"?|(?!\()\S*)|\s*=?\s*(?=\())?/.exec(text) ?? [];
  if (tag === undefined || !text.startsWith('(', tag.length)) return tag;
  let open = 0;
  for (const { 0: token, index } of text.slice(tag.length).matchAll(/'[^']*'|"[^"]*"|[()]/g)) {
    if (token === '(') open += 1;
    if (token === ')') open -= 1;
    if (open === 0) return text.slice(0, tag.length + index + 1);
  }
  return text;
}
