import { hash } from 'node:crypto';

/** The rows of a batch by record, without rows that came twice. */
export class RecordRows {
  /** A record of one row, as most are, costs no more than its row. */
  readonly #rows = new Map<string, Buffer | Group>();

  /** How many records have a row. */
  get size(): number {
    return this.#rows.size;
  }

  /** Adds a row, unless the same bytes came before: event and repeat instance tell true rows apart. */
  add(id: string, row: Buffer): void {
    const found = this.#rows.get(id);
    if (found === undefined) {
      this.#rows.set(id, row);
      return;
    }
    const group = Buffer.isBuffer(found) ? groupOf(found) : found;
    if (group !== found) this.#rows.set(id, group);
    const digest = digestOf(row);
    if (group.digests.has(digest)) return;
    group.digests.add(digest);
    group.rows.push(row);
  }

  has(id: string): boolean {
    return this.#rows.has(id);
  }

  /** Adds the rows of a record to `all`, in the order in which they came. */
  addTo(all: Buffer[], id: string): void {
    const found = this.#rows.get(id);
    if (Buffer.isBuffer(found)) all.push(found);
    else for (const row of found?.rows ?? []) all.push(row);
  }
}

interface Group {
  readonly rows: Buffer[];
  readonly digests: Set<string>;
}

function groupOf(row: Buffer): Group {
  return { rows: [row], digests: new Set([digestOf(row)]) };
}

function digestOf(row: Buffer): string {
  return hash('sha256', row, 'base64');
}
