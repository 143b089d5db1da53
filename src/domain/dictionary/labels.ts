import type { Choice } from './choices.js';
import type { ExportColumn } from './export-column.js';
import type { StructureEvent } from './project-structure.js';

/** The codes of labels, as an export with `rawOrLabel=label` writes them. */
export class LabelCodes {
  readonly #exact = new Map<string, string[]>();
  /** By labels in lower case: a spreadsheet writes `TRUE` for `True`. */
  readonly #alike = new Map<string, string[]>();

  constructor(readonly choices: readonly Choice[]) {
    for (const { code, label } of choices) {
      add(this.#exact, label.trim(), code);
      add(this.#alike, label.trim().toLowerCase(), code);
    }
  }

  /** @returns no code for what is no label, and several for a label that does not say which it is */
  codesOf(label: string): readonly string[] {
    const text = label.trim();
    return this.#exact.get(text) ?? this.#alike.get(text.toLowerCase()) ?? [];
  }
}

function add(codes: Map<string, string[]>, label: string, code: string): void {
  const known = codes.get(label);
  if (known === undefined) codes.set(label, [code]);
  else if (!known.includes(code)) known.push(code);
}

/**
 * Returns the labels of events. Where several arms have events, an export adds the arm, as in `Visit 1 (Arm 2: Drug)`,
 * of which `eventLabel` leaves the number.
 *
 * @see docs/protocol/redcap.md 4.4 (client)
 */
export function eventChoices(events: readonly StructureEvent[]): readonly Choice[] {
  return events.flatMap(({ uniqueName: code, label, arm }) => [
    { code, label },
    { code, label: `${label} (Arm ${arm})` },
  ]);
}

/** Returns the label of an event without the name of its arm. */
export function eventLabel(label: string): string {
  // A search for the end from each beginning would take quadratic time.
  return label.endsWith(')') ? label.replace(/ \(Arm (\d+): .*\)$/s, ' (Arm $1)') : label;
}

/**
 * The headings of the columns that say where a row belongs, and of those of surveys.
 *
 * @see docs/protocol/redcap.md 4.4 (client; the survey identifier inferred)
 */
export const STRUCTURE_HEADINGS: ReadonlyMap<string, string> = new Map([
  ['redcap_event_name', 'Event Name'],
  ['redcap_repeat_instrument', 'Repeat Instrument'],
  ['redcap_repeat_instance', 'Repeat Instance'],
  ['redcap_data_access_group', 'Data Access Group'],
  ['redcap_survey_identifier', 'Survey Identifier'],
]);

/** The heading of every form status. */
export const STATUS_HEADING = 'Complete?';

/** The heading of the time at which a survey was completed, for every survey. */
export const TIMESTAMP_HEADING = 'Survey Timestamp';

/** Returns the heading of a column. That of every form status is the same, so headings are not unique. (client) */
export function headingOf({ field, choice }: Pick<ExportColumn, 'field' | 'choice'>): string {
  if (field === undefined) return STATUS_HEADING;
  return choice === undefined ? field.label : `${field.label} (choice=${choice.label})`;
}
