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

/** The folders of a project's file repository, and the documents in each. */
export class FileRepository {
  readonly #folders = new Map<number, Folder>();
  /** The folder of each document. */
  readonly #places = new Map<number, number>();

  addFolder(folder: Omit<Folder, 'id'>): Folder {
    const made = { ...folder, id: this.#folders.size + 1 };
    this.#folders.set(made.id, made);
    return made;
  }

  folder(id: number): Folder | undefined {
    return this.#folders.get(id);
  }

  /** Returns the subfolders of a folder (0 for the top level) in order of creation. */
  foldersIn(parent: number): Folder[] {
    return [...this.#folders.values()].filter((folder) => folder.parent === parent);
  }

  /** Puts a document in a folder, 0 for the top level. */
  place(document: number, folder: number): void {
    this.#places.set(document, folder);
  }

  /** @returns the folder of a document, 0 for the top level; undefined if the document is not in the repository */
  placeOf(document: number): number | undefined {
    return this.#places.get(document);
  }

  /** Returns the IDs of the documents in a folder (0 for the top level). */
  documentsIn(folder: number): number[] {
    return [...this.#places].filter(([, place]) => place === folder).map(([document]) => document);
  }

  /** Forgets the place of a document. Its content is in the `DocumentStore`. */
  remove(document: number): void {
    this.#places.delete(document);
  }
}
