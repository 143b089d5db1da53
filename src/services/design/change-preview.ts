import { parseChoices } from '../../domain/dictionary/choices.js';
import {
  countOrphans,
  type DesignChange,
  dictionaryChanges,
  type FlatRow,
  type Orphans,
} from '../../domain/dictionary/dictionary-changes.js';
import type { Field } from '../../domain/dictionary/field.js';
import { InvalidRequestError } from '../../domain/errors/caller-errors.js';
import type { NameKind } from '../../domain/errors/sentences.js';
import { unknownName } from '../../domain/identifiers/nearest-name.js';
import type { CallOptions, CrfCalls, CrfClient, ProjectSettings } from '../../gateways/redcap/crf-client.js';
import type { OrUndefined } from '../../domain/identifiers/check-options.js';
import { DESIGN_LISTS, namesIn, type DesignLists } from './design-lists.js';

/** What a change of the design did or, with `dryRun`, would do. */
export interface ChangeOutcome {
  /**
   * The number of entries that REDCap accepted, changed or deleted; with `dryRun`, the number it would be sent.
   * @isInt
   * @example 1
   */
  readonly count: number;
  /** `true` if nothing was sent. The properties below are those of a dry run. */
  readonly dryRun?: true;
  /** The names of what would be deleted; of mappings and what repeats, event and instrument. */
  readonly deleted?: readonly string[];
  /** Fields: what would be another, and which stored values nobody would see any more. */
  readonly changes?: readonly FieldsChange[];
  /**
   * What only the change itself shows: whether REDCap lets the user of the token make it (`rights`), or makes it in
   * production (`production`); which arms there are without an event, because REDCap does not list them (`arms`); how many
   * stored values would be lost (`values`).
   */
  readonly notChecked?: readonly ('rights' | 'production' | 'arms' | 'values')[];
}

/** One change of the data dictionary. */
export interface FieldsChange {
  /**
   * What changes, in words, without a value of a record.
   * @example "age: removed"
   */
  readonly text: string;
  /**
   * How many stored values nobody would see any more. Absent if there are none, or they were not counted.
   * @isInt
   */
  readonly values?: number;
  /**
   * How many records have them.
   * @isInt
   */
  readonly records?: number;
}

type Preview = Omit<ChangeOutcome, 'count'>;

/** What REDCap does not change in production. */
const FIXED_IN_PRODUCTION: ReadonlySet<string> = new Set([
  'arms',
  'events',
  'mappings',
  'repeating',
  'fields',
]);

/**
 * Says what a list would change, once everything has been checked that is checked before a call.
 *
 * @throws {InvalidRequestError} an entry names what the project does not have
 */
export async function previewPut<List extends keyof DesignLists>(
  calls: CrfCalls,
  list: List,
  entries: readonly DesignLists[List][],
  { replace = false, call }: { readonly replace?: boolean | undefined; readonly call: CallOptions },
): Promise<Preview> {
  const { read, nameOf, replaces } = DESIGN_LISTS[list];
  const hasUnknownArm = await checkNames(calls, list, entries, call);
  const kept = new Set(entries.map(nameOf));
  const isDeleting = replaces === 'always' || (replaces !== undefined && replace);
  const deleted = isDeleting ? (await read(calls, call)).map(nameOf).filter((name) => !kept.has(name)) : [];
  const hasUnseenArm = hasUnknownArm || (list === 'arms' && replace);
  return previewDelete(calls, list, deleted, { call, hasUnseenArm });
}

/**
 * Refuses entries that name what the project does not have, as REDCap would in other words.
 *
 * @returns whether an entry names an arm that is not listed, and may have no events
 * @throws {InvalidRequestError} with each of the names
 */
export async function checkNames<List extends keyof DesignLists>(
  calls: CrfCalls,
  list: List,
  entries: readonly DesignLists[List][],
  call: CallOptions,
): Promise<boolean> {
  const { body, namesIn } = DESIGN_LISTS[list];
  const names = new ProjectNames(calls, call);
  const problems = [];
  let hasUnknownArm = false;
  for (const [index, entry] of entries.entries())
    for (const [kind, property, name] of namesIn?.(entry) ?? []) {
      const known = await names.of(kind);
      if (known.has(name)) continue;
      if (kind === 'arm') hasUnknownArm = true;
      else problems.push(unknownName(kind, `${body}[${index}].${property}`, name, known));
    }
  if (problems.length > 0) throw new InvalidRequestError(problems);
  return hasUnknownArm;
}

/**
 * Says what would be deleted.
 *
 * @param hasUnseenArm whether an arm without events would matter, which REDCap does not list
 */
export async function previewDelete(
  calls: CrfCalls,
  list: keyof DesignLists,
  deleted: readonly string[],
  { call, hasUnseenArm }: { readonly call: CallOptions; readonly hasUnseenArm: boolean },
): Promise<Preview> {
  const holdsValues = deleted.length > 0 && (list === 'arms' || list === 'events');
  return {
    dryRun: true,
    deleted,
    notChecked: [
      'rights',
      ...(await inProduction(calls, list, call)),
      ...(hasUnseenArm ? (['arms'] as const) : []),
      ...(holdsValues ? (['values'] as const) : []),
    ],
  };
}

/** @param mayReadRecords whether the caller may know how many stored values would be lost */
export async function previewFields(
  client: CrfClient,
  fields: readonly Field[],
  { mayReadRecords, call }: { readonly mayReadRecords: boolean; readonly call: CallOptions },
): Promise<Preview> {
  const before = await client.fields.list(call);
  const { missingDataCodes } = await client.project.getInfo(call);
  const missing = new Set(parseChoices(missingDataCodes).map(({ code }) => code));
  const changes = dictionaryChanges(before, fields, missing);
  const isUncounted = !mayReadRecords && changes.some((change) => change.orphans !== undefined);
  const sent = new Set(fields.map(({ name }) => name));
  return {
    dryRun: true,
    deleted: before.map(({ name }) => name).filter((name) => !sent.has(name)),
    changes: await withOrphans(
      changes,
      before,
      mayReadRecords ? () => client.streamRecords(call) : undefined,
    ),
    notChecked: [
      'rights',
      ...(await inProduction(client, 'fields', call)),
      ...(isUncounted ? (['values'] as const) : []),
    ],
  };
}

/** @throws {InvalidRequestError} the field whose values must be unique does not exist */
export async function previewSettings(
  calls: CrfCalls,
  { secondaryUniqueField = '' }: OrUndefined<ProjectSettings>,
  call: CallOptions,
): Promise<Preview> {
  const name = secondaryUniqueField;
  const fields = name === '' ? new Set(['']) : await new ProjectNames(calls, call).of('field');
  if (!fields.has(name))
    throw new InvalidRequestError([unknownName('field', 'secondaryUniqueField', name, fields)]);
  return { dryRun: true, notChecked: ['rights'] };
}

/**
 * Adds how many stored values each change would orphan.
 *
 * @param rows reads the records, only if a change could orphan values; undefined if they are not to be counted
 */
export async function withOrphans(
  changes: readonly DesignChange[],
  before: readonly Field[],
  rows: (() => AsyncIterable<FlatRow>) | undefined,
): Promise<FieldsChange[]> {
  const found = new Map<DesignChange, Orphans>();
  const hiding = changes.filter(({ orphans }) => orphans !== undefined);
  if (rows !== undefined && hiding.length > 0)
    for await (const row of rows()) countOrphans(hiding, row, before[0]?.name ?? '', found);
  return changes.map((change) => {
    const lost = found.get(change);
    return {
      text: change.text,
      ...(lost !== undefined && { values: lost.values, records: lost.records.size }),
    };
  });
}

async function inProduction(calls: CrfCalls, list: string, call: CallOptions): Promise<'production'[]> {
  if (!FIXED_IN_PRODUCTION.has(list)) return [];
  return (await calls.project.getInfo(call)).isInProduction ? ['production'] : [];
}

/** The names of a project, each kind read once, and only if it is asked for. */
class ProjectNames {
  readonly #read = new Map<NameKind, Promise<ReadonlySet<string>>>();

  constructor(
    private readonly calls: CrfCalls,
    private readonly call: CallOptions,
  ) {}

  of(kind: NameKind): Promise<ReadonlySet<string>> {
    const known = this.#read.get(kind) ?? this.#names(kind).then((names) => new Set(names));
    this.#read.set(kind, known);
    return known;
  }

  async #names(kind: NameKind): Promise<readonly string[]> {
    const { calls, call } = this;
    if (kind === 'instrument') return (await calls.instruments.list(call)).map(({ name }) => name);
    const list = LIST_OF[kind];
    if (list === undefined) return (await calls.fields.list(call)).map(({ name }) => name);
    const names = await namesIn(list, calls, call);
    // A classic project names no event.
    return kind === 'event' && names.length === 0 ? [''] : names;
  }
}

/** The lists whose entries have the names of a kind. */
const LIST_OF: Partial<Record<NameKind, keyof DesignLists>> = {
  arm: 'arms',
  event: 'events',
  dag: 'dags',
  role: 'roles',
  user: 'users',
};
