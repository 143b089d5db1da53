/** The numbers of uploaded files, given when they are first asked for. */
export class DocumentIds {
  readonly #ids = new Map<string, number>();

  /** @returns the number of the file that stands at a place, the same each time */
  of(...place: readonly (string | number)[]): number {
    const key = JSON.stringify(place);
    const id = this.#ids.get(key) ?? this.#ids.size + 1;
    this.#ids.set(key, id);
    return id;
  }
}
