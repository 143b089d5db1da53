/** A folder of the file repository. */
export interface Folder {
  readonly id: number;
  readonly name: string;
  /** The folder it stands in; 0 for the top. */
  readonly parent: number;
  /** The number of the data access group that alone sees it; undefined for everybody. */
  readonly groupId: number | undefined;
  /** The role that alone sees it; empty for everybody. */
  readonly role: string;
}

/** The folders of a project's file repository, and which document stands in which. */
export class FileRepository {
  readonly #folders = new Map<number, Folder>();
  /** By document. */
  readonly #places = new Map<number, number>();

  addFolder(folder: Omit<Folder, 'id'>): Folder {
    const made = { ...folder, id: this.#folders.size + 1 };
    this.#folders.set(made.id, made);
    return made;
  }

  folder(id: number): Folder | undefined {
    return this.#folders.get(id);
  }

  /** The folders in a folder, 0 for the top, in the order in which they were made. */
  foldersIn(parent: number): Folder[] {
    return [...this.#folders.values()].filter((folder) => folder.parent === parent);
  }

  place(document: number, folder: number): void {
    this.#places.set(document, folder);
  }

  /** @returns the folder of a document, 0 for the top; undefined for a document that is not of the repository */
  placeOf(document: number): number | undefined {
    return this.#places.get(document);
  }

  documentsIn(folder: number): number[] {
    return [...this.#places].filter(([, place]) => place === folder).map(([document]) => document);
  }

  remove(document: number): void {
    this.#places.delete(document);
  }
}
