import { ApiFailure } from '../../../wire/api-failure.js';
import type { UploadedFile } from '../../../wire/parameters.js';
import type { Answer } from '../../../wire/answer.js';

/** A stored file with its ID in the API. */
export interface StoredDocument extends UploadedFile {
  readonly id: number;
}

/** Total size of a project's files, limited since the sandbox keeps them in memory. */
const LIMIT_BYTES = 256 * 1024 * 1024;

/** The files of a project. Those of file fields and those of the file repository share one sequence of IDs. */
export class DocumentStore {
  readonly #documents = new Map<number, StoredDocument>();
  readonly #ids = new Map<string, { readonly id: number; readonly place: DocumentPlace }>();
  #nextId: number;
  #bytes = 0;

  /** @param firstId the ID of the first file */
  constructor(firstId = 1) {
    this.#nextId = firstId;
  }

  /** Stores a file that belongs to no field. @throws {ApiFailure} 400 when the sandbox is full */
  add(file: UploadedFile): StoredDocument {
    this.#requireSpace(file.bytes.length);
    const document = { ...file, id: this.#nextId++ };
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

  /** @throws {ApiFailure} 400 when the sandbox is full */
  #requireSpace(bytes: number): void {
    if (this.#bytes + bytes <= LIMIT_BYTES) return;
    throw new ApiFailure(400, 'The file could not be uploaded: the sandbox holds 256 MB of files at most.');
  }

  /**
   * Stores a file at a place, and removes the file that was there before.
   *
   * @throws {ApiFailure} 400 when the sandbox is full; the file that was there before remains
   */
  put(place: DocumentPlace, file: UploadedFile): StoredDocument {
    this.#requireSpace(file.bytes.length - (this.at(place)?.bytes.length ?? 0));
    this.take(place);
    const document = this.add(file);
    this.#ids.set(keyOf(place), { id: document.id, place });
    return document;
  }

  /** Returns the file at a place; undefined if there is none, or only its name is known. */
  at(place: DocumentPlace): StoredDocument | undefined {
    return this.#documents.get(this.#ids.get(keyOf(place))?.id ?? 0);
  }

  /** Returns the record whose file field holds a document; undefined for documents of the file repository. */
  recordOf(id: number): string | undefined {
    return [...this.#ids.values()].find((known) => known.id === id)?.place.record;
  }

  /** Removes the file at a place, if there is one. */
  take(place: DocumentPlace): void {
    const key = keyOf(place);
    this.remove(this.#ids.get(key)?.id ?? 0);
    this.#ids.delete(key);
  }

  /**
   * Moves the files of file fields, when records or events are renamed or deleted.
   *
   * @param newPlace returns the new place of a file, the same one if it does not move, or undefined to remove the file
   */
  relocate(newPlace: (place: DocumentPlace) => DocumentPlace | undefined): void {
    const before = [...this.#ids.values()];
    this.#ids.clear();
    for (const { id, place } of before) {
      const moved = newPlace(place);
      if (moved === undefined) this.remove(id);
      else this.#ids.set(keyOf(moved), { id, place: moved });
    }
  }

  /**
   * Returns the ID of the file at a place. A study loaded from CSV names files without having their content; such a
   * file gets an ID when it is first requested.
   */
  idAt(place: DocumentPlace): number {
    const key = keyOf(place);
    const known = this.#ids.get(key);
    if (known !== undefined) return known.id;
    const id = this.#nextId++;
    this.#ids.set(key, { id, place });
    return id;
  }
}

/** The location of a file in a file field. */
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

/** A folder of the file repository. */
export interface Folder {
  readonly id: number;
  readonly name: string;
  /** The number of the parent folder; 0 for the top level. */
  readonly parent: number;
  /** The number of the data access group that may see the folder; undefined if everyone may. */
  readonly groupId: number | undefined;
  /** The role that may see the folder; empty if everyone may. */
  readonly role: string;
}

/** The file repository of a project. The content of its documents is in the `DocumentStore`. */
export class FileRepository {
  /** In order of creation; a folder is never deleted. */
  readonly folders: Folder[] = [];
  /** The folder of each document, 0 for the top level. */
  readonly places = new Map<number, number>();

  folder(id: number): Folder | undefined {
    return this.folders.find((folder) => folder.id === id);
  }

  /** Returns the folders in a folder, 0 for the top level. */
  foldersIn(parent: number): Folder[] {
    return this.folders.filter((folder) => folder.parent === parent);
  }
}

/**
 * Answers with a file. Its name is in the content type, and PHP appends the character set for text.
 *
 * @see docs/protocol/redcap.md 11.1 (client)
 */
export function fileAnswer({ name, type, bytes }: StoredDocument): Answer {
  return { kind: 'bytes', bytes, type, fileName: name };
}

/** The answer to imports and deletes of files. */
export const EMPTY_ANSWER: Answer = { kind: 'text', text: '' };
