import { formStatusName } from '../domain/dictionary/export-column.js';
import type { Field } from '../domain/dictionary/field.js';
import { InvalidRequestError } from '../domain/errors/caller-errors.js';
import { ofName } from '../domain/identifiers/nearest-name.js';
import type { ProjectView } from './project-view.js';

/**
 * A name that no field, instrument or event has, because of its double underscore. It is sent in place of a hidden one,
 * so that REDCap itself says what it says of names that do not exist.
 *
 * @see docs/protocol/redcap.md 8.1 (client)
 */
export const NO_NAME = 'no__name';

/**
 * Says of the names that were asked for what REDCap says of those that nobody has, as of any that do not exist.
 *
 * @param asked the parameters of the call, as the caller gave them
 */
export async function refusedBy<Answer>(
  answer: Promise<Answer>,
  asked: Readonly<Record<string, unknown>>,
): Promise<Answer> {
  return answer.catch((error: unknown) => {
    if (!(error instanceof InvalidRequestError)) throw error;
    const errors = error.errors.map((problem) => {
      if (!NOBODYS.has(problem.name)) return problem;
      const [, parameter = '', index] = /^(\w+)(?:\[(\d+)\])?$/.exec(problem.field) ?? [];
      const given = asked[parameter];
      return ofName(problem, Array.isArray(given) ? given[Number(index ?? 0)] : given);
    });
    throw new InvalidRequestError(errors, { cause: error.cause });
  });
}

/** A field and an event that no project has, to be sent in place of hidden ones where a file is asked for. */
export const NO_FIELD = 'not_in_this_view_f1f0c2d4';
export const NO_EVENT = 'not_in_this_view_arm_9999';

const NOBODYS: ReadonlySet<string | undefined> = new Set([NO_NAME, NO_FIELD, NO_EVENT]);

/** An id that no record has, because it is too long, to be sent in place of that of a hidden one. */
export const NO_RECORD = '-'.repeat(101);

/** What REDCap shows in place of a blank value that is piped into a text. @see docs/protocol/redcap.md 11.4 (client) */
const BLANK = '______';

/** Brackets that follow each other, such as `[baseline_arm_1][age:value][2]`. */
const REFERENCE = /(?:\[[^[\]]{1,300}\])+/g;

const ONE_REFERENCE = /\[[^[\]]{1,300}\]/g;

/** The same, where one that is not closed counts as well. */
const BRACKETS = /(?:\[[^[\]]*\]?)+/g;

/** REDCap stores logic and annotations of 65,535 bytes. What is in the brackets of a longer one counts as hidden, unread. */
const MAX_LOGIC = 100_000;

/** The same for labels and choices, which may have pictures in them. */
const MAX_TEXT = 1_000_000;

const INSTANCE = /^(?:\d{1,9}|[a-z]+-instance)$/i;

/** The part of a view that says which names it has. */
export type ShownNames = Pick<ProjectView, 'fields' | 'forms' | 'events'> &
  Partial<Pick<ProjectView, 'deidentify'>>;

/** Returns the names of the fields whose values a view changes. */
export function changedFields(fields: readonly Field[], { deidentify }: ShownNames): readonly string[] {
  if (deidentify === undefined) return [];
  const idField = deidentify.recordId === 'kept' ? undefined : fields[0]?.name;
  return [...(idField === undefined ? [] : [idField]), ...deidentify.rules.keys()];
}

/** Whether logic or a text refers to what a view does not show, and how it reads without that. */
export class HiddenNames {
  readonly #names: ReadonlySet<string>;
  readonly #fields: ReadonlySet<string>;
  readonly #events: ReadonlySet<string> | undefined;

  /** @param fields the dictionary of the whole project */
  constructor(fields: readonly Field[], view: ShownNames) {
    const forms = new Set(fields.map(({ instrument }) => instrument).filter((form) => !view.forms.has(form)));
    this.#events = view.events;
    this.#fields = new Set(fields.map(({ name }) => name));
    this.#names = new Set([
      ...fields.map(({ name }) => name).filter((name) => !view.fields.has(name)),
      // What is shown with other values is not what a text means.
      ...changedFields(fields, view),
      ...[...forms].flatMap(namesOfForm),
    ]);
  }

  /** Whether a text has a reference, in brackets, to a hidden field, form or event. */
  isIn(text: string): boolean {
    if (text.length > MAX_LOGIC) return text.includes('[');
    return [...text.matchAll(BRACKETS)].some(([reference]) => this.#isHidden(reference));
  }

  /** Whether a text has a hidden name as a word, in brackets or not: for texts in another language than REDCap's. */
  isWordOf(text: string): boolean {
    return wordsOf(text).some((word) => this.#names.has(word));
  }

  /** Returns a text in which a hidden value is piped as a blank one. */
  withoutIn(text: string): string {
    if (text.length > MAX_TEXT) return text.replace(ONE_REFERENCE, BLANK);
    return text.replace(REFERENCE, (reference) => (this.#isHidden(reference) ? BLANK : reference));
  }

  #isHidden(reference: string): boolean {
    const brackets = reference.split('[').slice(1).map(withoutCode);
    return brackets.some(
      (text, at) => this.isWordOf(text) || this.#isHiddenEvent(text.replace(']', ''), brackets[at + 1]),
    );
  }

  /** @param next what follows: only an event has something after it that is no number of an instance */
  #isHiddenEvent(name: string, next: string | undefined): boolean {
    if (this.#events === undefined || next === undefined || INSTANCE.test(next.replace(']', '')))
      return false;
    const event = name.trim().toLowerCase();
    if (event.includes('-')) return event.endsWith('-event-name');
    return !this.#events.has(event) && !this.#fields.has(event.split(':')[0] ?? '');
  }
}

/** Returns the names by which texts refer to a form. */
export function namesOfForm(form: string): string[] {
  return [form, formStatusName(form), `${form}_timestamp`];
}

/**
 * Returns the words of a text that stand in brackets, without the codes of choices; an open bracket goes on to the next.
 * Undefined for a text that is too long to be read.
 */
export function wordsInBrackets(text: string): string[] | undefined {
  if (text.length > MAX_LOGIC) return undefined;
  return [...text.matchAll(BRACKETS)].flatMap(([reference]) =>
    reference
      .split('[')
      .map(withoutCode)
      .flatMap((each) => wordsOf(each)),
  );
}

/** What stands in parentheses is the code of a choice. */
function withoutCode(bracket: string): string {
  return bracket.replace(/\([^()]*\)/, '');
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[a-z0-9_]+/g) ?? [];
}
