import {
  headingOf,
  STATUS_HEADING,
  STRUCTURE_HEADINGS,
  TIMESTAMP_HEADING,
} from '../../domain/dictionary/labels.js';
import type { Choice } from '../../domain/dictionary/choices.js';
import type { DataDictionary } from '../../domain/dictionary/data-dictionary.js';
import { formStatusName } from '../../domain/dictionary/export-column.js';
import type { ProjectStructure } from '../../domain/dictionary/project-structure.js';
import { say } from '../../domain/errors/sentences.js';
import { isForbiddenName, type CellValue, type InputRow } from './input-item.js';
import type { ProblemList } from './problem-list.js';

/** Keeps the columns of a header apart whose labels are the same: a row is an object by its columns. */
export function keptApart(headings: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  return headings.map((heading) => {
    const count = counts.get(heading) ?? 0;
    counts.set(heading, count + 1);
    return heading === '' || count === 0 ? heading : `${heading}\0${count}`;
  });
}

/** What keeps a column apart: in linear time, whatever the heading is. */
const MARK = /\0\d*$/;

/**
 * Gives the columns of an import whose header has labels, as an export with `rawOrLabelHeaders=label` writes them, the
 * names of their fields. A name stands for itself, so that it can replace a label that several fields have and that does
 * not stand between the same columns as in an export. Every form status has the same label: it is told by the column
 * before it.
 *
 * @see docs/protocol/redcap.md 4.4 (client)
 */
export class HeaderLabels {
  readonly #names = new Map<string, string[]>();
  /** The names of columns in the order of an export. */
  readonly #order: readonly string[];
  readonly #placeOf: ReadonlyMap<string, number>;
  readonly #headingOf: ReadonlyMap<string, string>;
  #headings: readonly string[] = [];
  #found: readonly string[] | undefined;

  /**
   * @param structure without it, a label may be that of any structural column
   * @param missing the missing data codes, which have columns of checkbox fields
   */
  constructor(
    private readonly dictionary: DataDictionary,
    structure: ProjectStructure | undefined,
    missing: readonly Choice[] = [],
  ) {
    const columns = dictionary.exportColumns(missing);
    for (const column of columns) {
      if (column.field !== undefined) this.#add(headingOf(column), column.name);
      this.#add(column.name, column.name);
    }
    for (const [name, heading] of STRUCTURE_HEADINGS) {
      if (structure !== undefined && !hasColumn(structure, name)) continue;
      this.#add(heading, name);
      this.#add(name, name);
    }
    this.#order = columns.map(({ name }) => name);
    this.#placeOf = new Map(this.#order.map((name, at) => [name, at]));
    this.#headingOf = new Map(columns.map((column) => [column.name, headingOf(column).trim()]));
  }

  /** @returns the row by the names of its columns; undefined if the header is at fault, which is said once */
  named(item: InputRow, problems: ProblemList): InputRow | undefined {
    const { columns, row } = item;
    if (columns.length !== this.#headings.length || columns.some((name, at) => name !== this.#headings[at])) {
      this.#headings = columns;
      problems.beginRow('', item.place);
      this.#found = this.#namesOf(columns, problems);
    }
    const names = this.#found;
    if (names === undefined) return undefined;
    const named: Record<string, CellValue> = {};
    for (const [at, heading] of columns.entries()) named[names[at] ?? heading] = row[heading] ?? '';
    return { ...item, row: named, columns: names };
  }

  #add(heading: string, name: string): void {
    const key = heading.trim();
    const names = this.#names.get(key);
    if (names === undefined) this.#names.set(key, [name]);
    else if (!names.includes(name)) names.push(name);
  }

  #namesOf(headings: readonly string[], problems: ProblemList): readonly string[] | undefined {
    const before = problems.count;
    const texts = headings.map((heading) => heading.replace(MARK, '').trim());
    const meant = texts.map((text) => this.#names.get(text) ?? []);
    const names = this.#withRepeated(texts, this.#toldByNeighbours(texts, meant));
    const places = new Map<string, number>();
    for (const [at, name] of names.entries()) {
      const column = `column ${at + 1}`;
      const first = name === undefined ? undefined : places.get(name);
      if (name !== undefined && first !== undefined)
        problems.add(column, say('column_again', { name, column: first + 1 }));
      if (name !== undefined) places.set(name, at);
      else if (texts[at] === STATUS_HEADING && !this.#names.has(STATUS_HEADING)) {
        // It follows from the column before it, if that one is at fault.
        if ((meant[at - 1] ?? []).length < 2) problems.add(column, say('status_of_which'));
      } else if ((meant[at] ?? []).length > 1)
        problems.add(column, say('label_of_several', { fields: (meant[at] ?? []).slice(0, MAX_NAMES) }));
    }
    if (problems.count > before) return undefined;
    // What is no label is reported like any other unknown column.
    return names.map((name, at) => name ?? (isForbiddenName(texts[at] ?? '') ? '' : (texts[at] ?? '')));
  }

  /**
   * Names the columns whose label one field has, and those of several fields that stand where an export has them: right
   * behind one column of the project and right before another.
   */
  #toldByNeighbours(texts: readonly string[], meant: readonly (readonly string[])[]): (string | undefined)[] {
    const found = meant.map((names) => (names.length === 1 ? names[0] : undefined));
    const isAt = (at: number, name = ''): boolean =>
      texts[at] !== undefined && (texts[at] === this.#headingOf.get(name) || texts[at] === name);
    for (const [at, names] of meant.entries()) {
      if (names.length === 0 && isAt(at, STATUS_HEADING)) found[at] = this.#statusAfter(found[at - 1]);
      if (names.length < 2) continue;
      const fitting = names.filter((name) => {
        const place = this.#placeOf.get(name) ?? 0;
        const before = this.#order[place - 1];
        const isBehind = found[at - 1] === undefined ? isAt(at - 1, before) : found[at - 1] === before;
        return isBehind && isAt(at + 1, this.#order[place + 1]);
      });
      if (fitting.length === 1) found[at] = fitting[0];
    }
    return found;
  }

  /** Names the columns whose label every form, or every survey, has. */
  #withRepeated(
    texts: readonly string[],
    found: readonly (string | undefined)[],
  ): readonly (string | undefined)[] {
    const names = found.map((name, at) => {
      if (name !== undefined) return name;
      if (texts[at] === STATUS_HEADING && !this.#names.has(STATUS_HEADING))
        return this.#statusAfter(found[at - 1]);
      const next = this.dictionary.column(found[at + 1] ?? '');
      return texts[at] === TIMESTAMP_HEADING && next !== undefined
        ? `${next.instrument}_timestamp`
        : undefined;
    });
    const left = this.dictionary.instruments.filter((form) => !names.includes(formStatusName(form)));
    const open = [...names.keys()].filter((at) => names[at] === undefined && texts[at] === STATUS_HEADING);
    // The only one that is left, such as that of a form with nothing but the record id.
    return left.length === 1 && open.length === 1 && !this.#names.has(STATUS_HEADING)
      ? names.map((name, at) => (at === open[0] ? formStatusName(left[0] ?? '') : name))
      : names;
  }

  /** Returns the status of the form that ends with a column; a column from inside of a form does not tell. */
  #statusAfter(name: string | undefined): string | undefined {
    if (name === undefined || name === this.dictionary.recordIdField?.name) return undefined;
    const next = this.#order[(this.#placeOf.get(name) ?? 0) + 1];
    const isStatus =
      next !== undefined && this.dictionary.instruments.some((form) => formStatusName(form) === next);
    return isStatus && this.dictionary.column(next)?.field === undefined ? next : undefined;
  }
}

function hasColumn(structure: ProjectStructure, name: string): boolean {
  if (name === 'redcap_event_name') return structure.isLongitudinal;
  return !name.startsWith('redcap_repeat') || structure.hasRepeats;
}

const MAX_NAMES = 8;
