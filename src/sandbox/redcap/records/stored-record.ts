/** The place of a value in a record: an event and a repeat instance. */
export interface Place {
  /** The unique event name; empty in a classic project. */
  readonly event: string;
  /** The repeating instrument; empty on base rows and on the rows of a repeating event. */
  readonly instrument: string;
  /** Starts at 1; 0 on base rows. */
  readonly instance: number;
}

/** The values of one row of a record. */
export interface StoredRow extends Place {
  /** The values by export column; each checkbox choice has its own. Blank values are not stored. */
  readonly values: Map<string, string>;
}

/** One record, with one row per place that holds data. */
export class StoredRecord {
  readonly #rows = new Map<string, StoredRow>();
  /** The surveys whose link or code was requested, as `participantList` lists these records even without a response. */
  readonly requestedSurveys = new Set<string>();

  /**
   * @param id the record id
   * @param changedAt `YYYY-MM-DD HH:MM:SS`
   */
  constructor(
    readonly id: string,
    public changedAt: string,
    /** The unique name of the record's data access group; empty if there is none. */
    public group = '',
    /** Identifies the participant in survey participant lists; empty if there is none. */
    public surveyIdentifier = '',
  ) {}

  get rows(): IterableIterator<StoredRow> {
    return this.#rows.values();
  }

  /** Whether the record has no rows. */
  get isEmpty(): boolean {
    return this.#rows.size === 0;
  }

  row(place: Place): StoredRow | undefined {
    return this.#rows.get(keyOf(place));
  }

  /** @returns the row at a place, which is created if it does not exist */
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

  /** @returns the highest instance of an instrument (or of the repeating event) at an event; 0 if there is none */
  lastInstance(event: string, instrument: string): number {
    let last = 0;
    for (const row of this.#rows.values()) {
      if (row.event === event && row.instrument === instrument && row.instance > last) last = row.instance;
    }
    return last;
  }

  /** @returns the lowest instance of an instrument (or of the repeating event) at an event; 0 if there is none */
  firstInstance(event: string, instrument: string): number {
    let first = 0;
    for (const row of this.#rows.values()) {
      const isOwn = row.event === event && row.instrument === instrument && row.instance > 0;
      if (isOwn && (first === 0 || row.instance < first)) first = row.instance;
    }
    return first;
  }

  /** Returns an independent copy, so that a failed import changes nothing. */
  clone(): StoredRecord {
    return this.renamed(this.id, this.changedAt);
  }

  /** Returns an independent copy with another ID. */
  renamed(id: string, changedAt: string): StoredRecord {
    const copy = new StoredRecord(id, changedAt, this.group, this.surveyIdentifier);
    for (const { values, ...place } of this.#rows.values()) {
      copy.#rows.set(keyOf(place), { ...place, values: new Map(values) });
    }
    for (const survey of this.requestedSurveys) copy.requestedSurveys.add(survey);
    return copy;
  }
}

function keyOf({ event, instrument, instance }: Place): string {
  return `${event}\n${instrument}\n${instance}`;
}
