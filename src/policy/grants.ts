import { printLogic } from '../domain/logic/printer.js';
import type { Deidentification } from './deidentify/row-changer.js';
import type { Access, CreationRule, ProjectView, RowRule } from './project-view.js';

/** What a view allows, in words for the caller whose it is: they name nothing that is hidden. */
export interface Grants {
  /** The name of the policy. */
  readonly policy: string;
  /**
   * Which records, in words.
   * @example "those of the data access group paris"
   */
  readonly records: string;
  /** The visible instruments. */
  readonly instruments: Record<string, Access>;
  /** The unique names of the visible events; absent if all are. */
  readonly events?: readonly string[];
  /**
   * Whether records can be created, and under which ids, in words.
   * @example "none"
   */
  readonly creatingRecords: string;
  readonly files: ProjectView['files'];
  /** The numbers of the reports. */
  readonly reports: readonly number[];
  readonly log: 'none' | 'read';
  /** How values are changed, in words; absent if they are shown as they are. */
  readonly deidentification?: string;
}

/** Returns what a view allows. */
export function grantsOf(view: ProjectView): Grants {
  const { policy, forms, events, create, files, reports, log, deidentify } = view;
  return {
    policy,
    records: ownRowsInWords(view),
    instruments: Object.fromEntries(forms),
    ...(events && { events: [...events] }),
    creatingRecords: creationInWords(create),
    files,
    reports: [...reports],
    log: log,
    ...(deidentify && { deidentification: deidentificationInWords(deidentify) }),
  };
}

/** Says which records a rule leaves, to whoever may know the fields that decide. */
export function rowsInWords(rows: RowRule): string {
  switch (rows.kind) {
    case 'dag':
      return `those of the data access group ${rows.dag}`;
    case 'own':
      return `the one whose ${rows.field} is the address of the caller; none if there are several`;
    case 'where':
      return `those of which a row satisfies ${printLogic(rows.logic)}`;
    default:
      return rows.kind;
  }
}

/** Says the same to the caller, from whom the deciding fields, and with changed values the group, may be hidden. */
function ownRowsInWords({ rows, deidentify }: ProjectView): string {
  if (rows.kind === 'own') return 'the one with the address of the caller; none if there are several';
  if (rows.kind === 'where') return 'those that satisfy a condition of the policy';
  return rows.kind === 'dag' && deidentify !== undefined
    ? 'those of one data access group'
    : rowsInWords(rows);
}

/** Says under which ids a view creates records, and what that tells. */
export function creationInWords(create: CreationRule): string {
  switch (create.kind) {
    case 'auto':
      return 'under the next number, which tells how many records there are';
    case 'prefix':
      return `under an id that begins with ${create.prefix}`;
    case 'none':
      return 'none';
  }
}

export const IDS_IN_WORDS = {
  kept: 'shown as it is',
  pseudonym: 'a pseudonym',
  random: 'random for each export',
} as const;

/** Says what a view does with values. */
export function deidentificationInWords({ preset, recordId }: Deidentification): string {
  return `${preset}. A record id is ${IDS_IN_WORDS[recordId]}`;
}
