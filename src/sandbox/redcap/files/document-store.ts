import { ApiFailure } from '../wire/api-failure.js';

/** A file as it was uploaded. */
export interface UploadedFile {
  readonly name: string;
  /** The media type that the client gave. */
  readonly type: string;
  readonly bytes: Buffer;
}

/** A stored file, with the number by which the API knows it. */
export interface StoredDocument extends UploadedFile {
  readonly id: number;
}

/** Bytes of all files of a project: a sandbox lives in memory. */
const LIMIT_BYTES = 256 * 1024 * 1024;

/** The files of a project: those of file fields and those of the file repository share their numbers. */
export class DocumentStore {
  readonly #documents = new Map<number, StoredDocument>();
  readonly #ids = new Map<string, number>();
  #nextId: number;
  #bytes = 0;

  /** @param firstId the number of the first file */
  constructor(firstId = 1) {
    this.#nextId = firstId;
  }

  /** @throws {ApiFailure} 400 when the sandbox is full */
  add(file: UploadedFile): StoredDocument {
    if (this.#bytes + file.bytes.length > LIMIT_BYTES) {
      throw new ApiFailure(400, 'The file could not be uploaded: the sandbox holds 256 MB of files at most.');
    }
    const document = { ...file, id: this.#nextId };
    this.#nextId += 1;
    this.#documents.set(document.id, document);
    this.#bytes += file.bytes.length;
    return document;
  }

  get(id: number): StoredDocument | undefined {
    return this.#documents.get(id);
  }

  remove(id: number): void {
    this.#bytes -= this.#documents.get(id)?.bytes.length ?? 0;
    this.#documents.delete(id);
  }

  /** Puts a file at a place, instead of the one that stood there. */
  put(place: DocumentPlace, file: UploadedFile): StoredDocument {
    this.take(place);
    const document = this.add(file);
    this.#ids.set(keyOf(place), document.id);
    return document;
  }

  at(place: DocumentPlace): StoredDocument | undefined {
    return this.#documents.get(this.#ids.get(keyOf(place)) ?? 0);
  }

  /** The record whose file field a document stands in; undefined for those of the file repository. */
  recordOf(id: number): string | undefined {
    for (const [key, place] of this.#ids) if (place === id) return (JSON.parse(key) as [string])[0];
    return undefined;
  }

  /** Removes the file of a place, if there is one. */
  take(place: DocumentPlace): void {
    const key = keyOf(place);
    this.remove(this.#ids.get(key) ?? 0);
    this.#ids.delete(key);
  }

  /** Keeps the files of a record that has another name from now on. */
  rename(from: string, to: string): void {
    for (const [key, id] of [...this.#ids]) {
      const [record, ...rest] = JSON.parse(key) as [string, ...unknown[]];
      if (record !== from) continue;
      this.#ids.delete(key);
      this.#ids.set(JSON.stringify([to, ...rest]), id);
    }
  }

  /**
   * The number of the file that a place names. A study that was loaded from CSV names files without having their bytes:
   * such a place gets a number when it is first asked for.
   */
  idAt(place: DocumentPlace): number {
    const key = keyOf(place);
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = this.#nextId;
    this.#nextId += 1;
    this.#ids.set(key, id);
    return id;
  }
}

/** Where the file of a file field stands. */
export interface DocumentPlace {
  readonly record: string;
  readonly event: string;
  readonly instrument: string;
  readonly instance: number;
  readonly field: string;
}

function keyOf({ record, event, instrument, instance, field }: DocumentPlace): string {
  return JSON.stringify([record, event, instrument, instance, field]);
}
