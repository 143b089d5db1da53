/** A count with its factor. */
export type Term = readonly [count: string, factor: number];

/**
 * Combines published counts as an attacker would: from the sums that hold by the structure of a project and the counts
 * that were published, it works out which other counts have only one possible value.
 */
export class LinearAttack {
  readonly #columns = new Map<string, number>();
  readonly #equations: { readonly terms: readonly Term[]; readonly sum: number }[] = [];
  /** Counts that are known to be at least one, because zeros beside them are published. */
  readonly #positive = new Set<string>();

  /** States that the parts add up to the whole. */
  adds(whole: string, parts: readonly string[]): void {
    this.equation([[whole, -1], ...parts.map((part): Term => [part, 1])], 0);
  }

  equation(terms: readonly Term[], sum: number): void {
    for (const [count] of terms) if (!this.#columns.has(count)) this.#columns.set(count, this.#columns.size);
    this.#equations.push({ terms, sum });
  }

  /** States a published count; none if it is omitted. */
  knows(count: string, value: number | null): void {
    if (value !== null) this.equation([[count, 1]], value);
  }

  /** States the counts of a list: beside a zero that is published, what is omitted is none. */
  knowsAll(counts: readonly (readonly [count: string, value: number | null])[]): void {
    for (const [count, value] of counts) this.knows(count, value);
    if (counts.some(([, value]) => value === 0))
      for (const [count, value] of counts) if (value === null) this.#positive.add(count);
  }

  /** Returns the counts from 1 to below `threshold` that have only one possible value. */
  smallCounts(threshold: number): string[] {
    return [...new Map([...this.#solved(), ...this.#bounded()])].flatMap(([count, value]) =>
      value > 0.5 && value < threshold - 0.5 ? [`${count} = ${Math.round(value)}`] : [],
    );
  }

  /** Gauss-Jordan elimination: a count is determined if its unit vector is in the row space. */
  #solved(): [string, number][] {
    const width = this.#columns.size;
    const rows = this.#equations.map(({ terms, sum }) => {
      const row = new Float64Array(width + 1);
      for (const [count, factor] of terms) row[this.#columns.get(count) ?? 0] = factor;
      row[width] = sum;
      return row;
    });
    const at = (row: Float64Array, column: number): number => row[column] ?? 0;
    let rank = 0;
    for (let column = 0; column < width && rank < rows.length; column += 1) {
      const pivot = rows.findIndex((row, index) => index >= rank && Math.abs(at(row, column)) > 1e-9);
      const [top, chosen] = [rows[rank], rows[pivot]];
      if (top === undefined || chosen === undefined) continue;
      [rows[rank], rows[pivot]] = [chosen, top];
      const factor = at(chosen, column);
      for (let index = 0; index <= width; index += 1) chosen[index] = at(chosen, index) / factor;
      for (const row of rows) {
        const share = at(row, column);
        if (row === chosen || Math.abs(share) < 1e-9) continue;
        for (let index = 0; index <= width; index += 1)
          row[index] = at(row, index) - share * at(chosen, index);
      }
      rank += 1;
    }
    return [...this.#columns].flatMap(([count, column]): [string, number][] => {
      const row = rows.find(
        (each) =>
          Math.abs(at(each, column) - 1) < 1e-6 &&
          each.every((value, index) => index === column || index === width || Math.abs(value) < 1e-6),
      );
      return row === undefined ? [] : [[count, at(row, width)]];
    });
  }

  /** Narrows the range of each count, which is never negative, until nothing changes. */
  #bounded(): [string, number][] {
    const low = new Map([...this.#columns.keys()].map((count) => [count, this.#positive.has(count) ? 1 : 0]));
    const high = new Map([...this.#columns.keys()].map((count) => [count, Infinity]));
    const least = ([count, factor]: Term): number => factor * ((factor > 0 ? low : high).get(count) ?? 0);
    const most = ([count, factor]: Term): number => factor * ((factor > 0 ? high : low).get(count) ?? 0);
    for (let isChanged = true, round = 0; isChanged && round < 50; round += 1) {
      isChanged = false;
      for (const { terms, sum } of this.#equations) {
        for (const term of terms) {
          const [count, factor] = term;
          const others = terms.filter((other) => other !== term);
          const bounds = [
            (sum - others.reduce((all, other) => all + most(other), 0)) / factor,
            (sum - others.reduce((all, other) => all + least(other), 0)) / factor,
          ];
          const [from, to] = [Math.ceil(Math.min(...bounds) - 1e-9), Math.floor(Math.max(...bounds) + 1e-9)];
          if (from > (low.get(count) ?? 0)) isChanged = !!low.set(count, from);
          if (to < (high.get(count) ?? 0)) isChanged = !!high.set(count, to);
        }
      }
    }
    return [...low].flatMap(([count, value]): [string, number][] =>
      value === high.get(count) ? [[count, value]] : [],
    );
  }
}
