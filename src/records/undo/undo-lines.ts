import { randomUUID } from 'node:crypto';
import type { RowRange } from '../../domain/errors/upstream-errors.js';
import type { ProjectInfo } from '../../gateways/redcap/crf-client.js';
import type { ImportJournal, JournalStep } from '../import/import-journal.js';

/** The import that an undo file belongs to. */
export interface UndoSubject {
  /** Tells projects apart. */
  readonly project: string;
  /** The hash of the input; undefined for standard input and the like, whose import cannot be continued. */
  readonly input?: string | undefined;
  /** The options that decide what is stored. */
  readonly options: string;
  /** The index of the first row of the input that is imported. */
  readonly from: number;
}

/** The first line of an undo file. */
export interface UndoHeader extends UndoSubject {
  readonly crfUndo: 1;
  readonly id: string;
  readonly isSealed: boolean;
}

/** A line after the header. */
export type UndoLine =
  | { readonly step: JournalStep }
  | { readonly confirmed: RowRange }
  /** The import is complete, or it was undone and must not be continued. */
  | { readonly end: 'complete' | 'undone' };

/** Returns what tells a project from others, whatever the address of its REDCap. */
export function projectKeyOf({ id, creationTime }: Pick<ProjectInfo, 'id' | 'creationTime'>): string {
  return `${id} ${creationTime}`;
}

/**
 * The undo file of an import by another program than the one that keeps it: in memory, and only as long as it has not
 * too much in it.
 */
export class UndoText implements ImportJournal {
  #lines: string[] = [];
  #size = 0;
  #isGivenUp = false;
  #steps = 0;

  constructor(private readonly limitBytes: number) {}

  /** Whether there is something to undo. */
  get hasSteps(): boolean {
    return this.#steps > 0 && !this.#isGivenUp;
  }

  async begin(step: JournalStep): Promise<void> {
    this.#steps++;
    this.#add({ step });
    return Promise.resolve();
  }

  async confirm(rows: RowRange): Promise<void> {
    this.#add({ confirmed: rows });
    return Promise.resolve();
  }

  giveUp(): void {
    this.#isGivenUp = true;
    this.#lines = [];
  }

  /** Returns the file. @param isComplete whether the import has come to its end */
  textFor(project: string, isComplete: boolean): string {
    const header: UndoHeader = {
      ...{ crfUndo: 1, id: randomUUID(), isSealed: false, project, options: '', from: 0 },
    };
    const end: UndoLine = { end: 'complete' };
    return [JSON.stringify(header), ...this.#lines, ...(isComplete ? [JSON.stringify(end)] : []), ''].join(
      '\n',
    );
  }

  #add(line: UndoLine): void {
    if (this.#isGivenUp) return;
    const text = JSON.stringify(line);
    this.#size += Buffer.byteLength(text);
    if (this.#size > this.limitBytes) this.giveUp();
    else this.#lines.push(text);
  }
}
