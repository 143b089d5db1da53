import { hash } from 'node:crypto';

/** The rows of a batch by record, without rows that came twice. */
export class RecordRows {
  readonly #groups = new Map<string, Group>();

  /** How many records have a row. */
  get size(): number {
    return this.#groups.size;
  }

  /** Adds a row, unless the same bytes came before: event and repeat instance tell true rows apart. */
  add(id: string, row: Buffer): void {
    const group = this.#groups.get(id);
    if (group === undefined) {
      this.#groups.set(id, { rows: [row], digests: undefined });
      return;
    }
    group.digests ??= new Set(group.rows.map(digestOf));
    const digest = digestOf(row);
    if (group.digests.has(digest)) return;
    group.digests.add(digest);
    group.rows.push(row);
  }

  has(id: string): boolean {
    return this.#groups.has(id);
  }

  ids(): Iterable<string> {
    return this.#groups.keys();
  }

  /** The rows of a record, in the order in which they came. */
  of(id: string): readonly Buffer[] {
    return this.#groups.get(id)?.rows ?? [];
  }
}

interface Group {
  readonly rows: Buffer[];
  /** Made when a record has a second row. */
  digests: Set<string> | undefined;
}

function digestOf(row: Buffer): string {
  return hash('sha256', row, 'base64');
}
