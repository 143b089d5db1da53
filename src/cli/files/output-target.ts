import type { FileHandle } from 'node:fs/promises';
import type { Writable } from 'node:stream';

/** The partial file of an interrupted export, and the number of bytes to keep. */
export interface Remainder {
  readonly handle: FileHandle;
  readonly bytes: number;
}

/** An opened target. The caller calls either `begin` or `close`. */
export interface OpenedTarget {
  /** Starts writing, once the export has started successfully. The target is not changed before. */
  begin(): Promise<Writable>;
  close(): Promise<void>;
}

/** The destination of an export. */
export interface ExportTarget {
  /** Returns the partial file to resume; undefined if there is none. */
  remainder(): Promise<FileHandle | undefined>;
  open(remainder?: Remainder): Promise<OpenedTarget>;
  /** Finishes a complete export. */
  complete(): Promise<void>;
  /** Describes what was written by an incomplete export. */
  leftBehind(): Promise<string>;
}

export interface TargetOptions {
  /** `--force`: an existing file is replaced. */
  readonly isForced: boolean;
  /** `--resume`. */
  readonly isResumed: boolean;
  /** Whether an export in this format can be resumed. */
  readonly isResumable: boolean;
}
