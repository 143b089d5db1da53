/** The records of a project, in memory. */
export class RecordStore {
  readonly #records = new Map<string, StoredRecord>();
  #ordered: readonly StoredRecord[] | undefined;
  readonly #lockedForms = new Set<string>();

  /** @param isSorted whether the records have another order than that of their creation */
  constructor(private readonly isSorted = true) {}

  get(id: string): StoredRecord | undefined {
    return this.#records.get(id);
  }

  set(record: StoredRecord): void {
    this.#ordered = undefined;
    this.#records.set(record.id, record);
  }

  delete(id: string): void {
    if (this.#records.delete(id)) this.#ordered = undefined;
  }

  /** Locks a form of a record, at all of its events, as REDCap's users can. @returns a function that unlocks it */
  lock(id: string, instrument: string): () => void {
    const form = `${id}\n${instrument}`;
    this.#lockedForms.add(form);
    return () => void this.#lockedForms.delete(form);
  }

  isLocked(id: string, instrument: string): boolean {
    return this.#lockedForms.has(`${id}\n${instrument}`);
  }

  /** The record IDs, in order of creation. */
  get ids(): string[] {
    return [...this.#records.keys()];
  }

  /** Returns records in natural order: numbers by value, then text. @see docs/protocol/redcap.md 4.3 (client) */
  inOrder(): readonly StoredRecord[] {
    if (this.#ordered !== undefined) return this.#ordered;
    const records = [...this.#records.values()];
    if (this.isSorted) records.sort((left, right) => compareIds(left.id, right.id));
    this.#ordered = records;
    return records;
  }
}

function compareIds(left: string, right: string): number {
  const [leftNumber, rightNumber] = [isNumber(left), isNumber(right)];
  // From 16 digits on, different numbers may be the same to JavaScript.
  if (leftNumber && rightNumber) return Number(left) - Number(right) || Number(BigInt(left) - BigInt(right));
  if (leftNumber !== rightNumber) return leftNumber ? -1 : 1;
  return left < right ? -1 : left > right ? 1 : 0;
}

function isNumber(id: string): boolean {
  return /^\d+$/.test(id);
}

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

  /** Returns the instances of an instrument (or of the repeating event) at an event, from the lowest on. */
  instances(event: string, instrument: string): number[] {
    return [...this.rows]
      .filter((row) => row.event === event && row.instrument === instrument && row.instance > 0)
      .map(({ instance }) => instance)
      .sort((left, right) => left - right);
  }

  /** Returns an independent copy, so that a failed import changes nothing. */
  clone(): StoredRecord {
    return this.renamed(this.id, this.changedAt);
  }

  /** Returns an independent copy with another ID. */
  renamed(id: string, changedAt: string): StoredRecord {
    const copy = new StoredRecord(id, changedAt, this.group, this.surveyIdentifier);
    for (const { values, ...place } of this.#rows.values())
      copy.#rows.set(keyOf(place), { ...place, values: new Map(values) });
    for (const survey of this.requestedSurveys) copy.requestedSurveys.add(survey);
    return copy;
  }
}

function keyOf({ event, instrument, instance }: Place): string {
  return `${event}\n${instrument}\n${instance}`;
}
