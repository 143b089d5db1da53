/** Maximum number of messages that are returned; nobody would read more. */
const MAX_KINDS = 100;

/**
 * Collects messages about rows. Each kind is listed once, with the number of rows and the first one, but never with a
 * value.
 */
export class Notes {
  readonly #kinds = new Map<string, { count: number; readonly first: number | undefined }>();

  /** @param index of the row, starting at 0; undefined if the message is not about a row */
  add(kind: string, index?: number): void {
    const known = this.#kinds.get(kind);
    if (known !== undefined) known.count += 1;
    else this.#kinds.set(kind, { count: 1, first: index });
  }

  /** Returns messages such as `3 values of age that …: kept as they are (first in row 7)`. */
  sentences(): string[] {
    const all = [...this.#kinds].map(([kind, { count, first }]) =>
      first === undefined ? kind : `${count} ${kind} (first in row ${first + 1})`,
    );
    return all.length <= MAX_KINDS
      ? all
      : [...all.slice(0, MAX_KINDS), `and ${all.length - MAX_KINDS} other kinds`];
  }
}
