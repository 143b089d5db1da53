import type { ProjectStructure } from '../../domain/dictionary/project-structure.js';
import { InvalidRequestError } from '../../domain/errors/caller-errors.js';
import type { ImportChange, ImportRow } from '../../gateways/redcap/crf-client.js';
import { toImportData } from '../../gateways/redcap/record-parameters.js';
import { EventLoopShare } from './event-loop-share.js';
import { GROUP, isSame } from './import-changes.js';
import type { Seen } from './seen-changes.js';
import { sentByRecord } from './warnings/sent-rows.js';

/**
 * The rows of records as somebody has read them. A change is one of what they saw if the stored value is still theirs by
 * type; a place without a row was empty then, and a column that no row has is not compared.
 */
export class SeenRows implements Seen {
  readonly #columns = new Set<string>();
  readonly #values = new Map<string, string>();

  private constructor(
    private readonly structure: ProjectStructure,
    private readonly records: ReadonlySet<string>,
    readonly isStrict: boolean,
  ) {}

  /** @param isStrict whether nothing is stored if one of the values has changed */
  static async of(
    structure: ProjectStructure,
    rows: readonly ImportRow[],
    isStrict: boolean,
  ): Promise<SeenRows> {
    const json = Buffer.from(toImportData(rows, 'seen'));
    const records = await sentByRecord(json, [], structure, { type: 'flat' }, new EventLoopShare());
    const seen = new SeenRows(structure, new Set(records.keys()), isStrict);
    for (const [record, placed] of records)
      for (const { event, instance, group, values } of placed) {
        const place = { record, event, instance: Number(instance) || null };
        for (const [field, value] of values) seen.#add({ ...place, field }, value);
        if (group !== undefined) seen.#add({ record, event: '', instance: null, field: GROUP }, group);
      }
    return seen;
  }

  has(change: ImportChange, creation: ImportChange): boolean {
    const { record, field, old } = change;
    if (change === creation) return !this.records.has(record);
    if (!this.#columns.has(field)) return true;
    return isSame(this.#values.get(keyOf(change)) ?? '', old, field, this.structure);
  }

  addStored(change: ImportChange): void {
    this.#values.set(keyOf(change), change.new);
  }

  #add(cell: Cell, value: string): void {
    this.#columns.add(cell.field);
    this.#values.set(keyOf(cell), value);
  }
}

/**
 * Refuses rows with a column of which nobody says what they saw.
 *
 * @throws {InvalidRequestError} names each
 */
export function checkSeen(rows: readonly ImportRow[], seen: readonly ImportRow[]): void {
  const known = new Set(seen.flatMap((row) => Object.keys(row)));
  const errors = rows.flatMap((row, index) =>
    Object.keys(row)
      .filter((name) => !known.has(name))
      .map((name) => ({ field: `rows[${index}].${name}`, message: 'must be a column of seen too' })),
  );
  if (errors.length > 0) throw new InvalidRequestError(errors);
}

type Cell = Pick<ImportChange, 'record' | 'event' | 'instance' | 'field'>;

function keyOf({ record, event, instance, field }: Cell): string {
  return JSON.stringify([record, event, instance, field]);
}
