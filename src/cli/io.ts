import type { Readable, Writable } from 'node:stream';

/** A stream of messages or data, which may be a terminal. */
export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number };
export type Input = Readable & { readonly isTTY?: boolean };

/** What a command reads and writes: that of the process, or of whoever calls `run`. */
export interface Io {
  /** The command line, to say with which one to go on. */
  readonly args: readonly string[];
  readonly stdout: Output;
  readonly stderr: Output;
  /** A function, because a process whose standard input was touched may wait for it. */
  readonly stdin: () => Input;
  /** The environment, to which the settings of `.env` are added; undefined for that of the process. */
  readonly env: NodeJS.ProcessEnv | undefined;
  /** Returns the signal that Ctrl-C aborts, always the same. Ctrl-C ends a command that does not ask for it. */
  readonly interrupt: () => AbortSignal;
}
