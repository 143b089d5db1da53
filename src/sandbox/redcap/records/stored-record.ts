/** Where a value stands: at an event, in a repeat instance. */
export interface Place {
  /** The unique event name; empty in a classic project. */
  readonly event: string;
  /** The repeating instrument; empty on base rows and on the rows of a repeating event. */
  readonly instrument: string;
  /** Counted from 1; 0 on base rows. */
  readonly instance: number;
}

/** The values of one row of a record. */
export interface StoredRow extends Place {
  /** By export column: a checkbox choice has a value of its own. Blank values are not kept. */
  readonly values: Map<string, string>;
}

/** One record: a row for each place that holds data. */
export class StoredRecord {
  readonly #rows = new Map<string, StoredRow>();

  /**
   * @param id the record id
   * @param changedAt `YYYY-MM-DD HH:MM:SS`
   */
  constructor(
    readonly id: string,
    public changedAt: string,
    /** The unique name of the record's data access group; empty for none. */
    public group = '',
    /** What the participant is called in the lists of surveys; empty for nobody in particular. */
    public surveyIdentifier = '',
  ) {}

  get rows(): IterableIterator<StoredRow> {
    return this.#rows.values();
  }

  /** Whether it has no row at all. */
  get isEmpty(): boolean {
    return this.#rows.size === 0;
  }

  row(place: Place): StoredRow | undefined {
    return this.#rows.get(keyOf(place));
  }

  /** @returns the row of a place, made when there is none */
  rowAt(place: Place): StoredRow {
    const known = this.row(place);
    if (known !== undefined) return known;
    const row: StoredRow = { ...place, values: new Map() };
    this.#rows.set(keyOf(place), row);
    return row;
  }

  removeRow(place: Place): void {
    this.#rows.delete(keyOf(place));
  }

  /** @returns the greatest instance of an instrument (or of the repeating event) at an event; 0 when there is none */
  lastInstance(event: string, instrument: string): number {
    let last = 0;
    for (const row of this.#rows.values()) {
      if (row.event === event && row.instrument === instrument && row.instance > last) last = row.instance;
    }
    return last;
  }

  /** A copy that can be changed without changing this one: an import is all or nothing. */
  clone(): StoredRecord {
    return this.renamed(this.id, this.changedAt);
  }

  /** A copy under another id. */
  renamed(id: string, changedAt: string): StoredRecord {
    const copy = new StoredRecord(id, changedAt, this.group, this.surveyIdentifier);
    for (const { values, ...place } of this.#rows.values()) {
      copy.#rows.set(keyOf(place), { ...place, values: new Map(values) });
    }
    return copy;
  }
}

function keyOf({ event, instrument, instance }: Place): string {
  return `${event}\n${instrument}\n${instance}`;
}
