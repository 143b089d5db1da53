/** Kinds of sentences that are said; a file can be wrong in more ways than anybody reads. */
const MOST = 100;

/** Collects what is to be said of rows, each kind once with how often and where first. Never a value. */
export class Notes {
  readonly #kinds = new Map<string, { count: number; readonly first: number | undefined }>();

  /** @param index of the row, counted from 0; none for what is not of a row */
  add(kind: string, index?: number): void {
    const known = this.#kinds.get(kind);
    if (known !== undefined) known.count += 1;
    else this.#kinds.set(kind, { count: 1, first: index });
  }

  /** `3 values of age that …: kept as they are (first in row 7)` */
  sentences(): string[] {
    const all = [...this.#kinds].map(([kind, { count, first }]) =>
      first === undefined ? kind : `${count} ${kind} (first in row ${first + 1})`,
    );
    return all.length <= MOST ? all : [...all.slice(0, MOST), `and ${all.length - MOST} other kinds`];
  }
}
