import type { FileHandle } from 'node:fs/promises';
import type { Writable } from 'node:stream';

/** What an interrupted export has left, and how much of it is kept. */
export interface Remainder {
  readonly handle: FileHandle;
  readonly bytes: number;
}

/** A target that has been opened. Either `begin` or `close` is called. */
export interface OpenedTarget {
  /** The export has begun well: from here on the target changes. */
  begin(): Promise<Writable>;
  close(): Promise<void>;
}

/** Where an export goes. */
export interface ExportTarget {
  /** What is to be gone on with; undefined when there is nothing. */
  remainder(): Promise<FileHandle | undefined>;
  open(remainder?: Remainder): Promise<OpenedTarget>;
  /** The export is whole. */
  complete(): Promise<void>;
  /** What there is when it is not. */
  leftBehind(): Promise<string>;
}

export interface TargetOptions {
  /** `--force`: what is there is replaced. */
  readonly isForced: boolean;
  /** `--resume`. */
  readonly isResumed: boolean;
  /** Whether the format is one that can be gone on with. */
  readonly isResumable: boolean;
}
