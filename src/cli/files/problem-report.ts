import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import type { FieldProblem, RecordProblem } from '../../domain/errors/field-problem.js';
import type { ImportChange } from '../../gateways/redcap/crf-client.js';
import { spreadsheetCell } from '../../records/formats/csv-formula-guard.js';
import { CliError, EXIT_CODES } from '../cli-error.js';
import type { Output } from '../io.js';
import { outputFile } from '../options/file-options.js';
import { NO_FOLLOW } from './file-target.js';
import { unwritableFile } from './refused-file.js';

/**
 * Writes what an import says about its rows as CSV for a spreadsheet, to a file that only its owner can read or to
 * standard output. For standard output it is held in memory and written at the end: a reader that closes the pipe must
 * not end an import that is under way, and neither must a full disk.
 */
class ImportReport {
  /** The open file; undefined for standard output. */
  readonly #file: number | undefined;
  #count = 0;
  #waiting: string;
  #failure: string | undefined;

  /**
   * @param output the path of the file, or `-` for standard output
   * @param header the first line, which tells an earlier report from another file
   * @param option the option of the command that names the file
   * @param what is in it: `problems`
   * @throws {InvalidRequestError} the file cannot be written
   * @throws {CliError} the file exists, and is not the report of an earlier import
   */
  constructor(
    private readonly output: string,
    private readonly stdout: Output,
    header: string,
    option: string,
    what: string,
  ) {
    this.#waiting = header;
    const path = outputFile(output);
    let isOther: boolean;
    try {
      isOther = path !== undefined && isOtherFile(path, header);
      this.#file = path === undefined || isOther ? undefined : openForOwner(path);
    } catch (cause) {
      throw unwritableFile(option, cause);
    }
    if (isOther)
      throw new CliError(
        `${path} exists, and is not a report of ${what}. Name another file for ${option}.`,
        EXIT_CODES.usage,
      );
  }

  get name(): string {
    return this.#file === undefined ? 'standard output' : this.output;
  }

  get count(): number {
    return this.#count;
  }

  /** Why the report is incomplete, as a sentence; undefined if nothing failed. */
  get failure(): string | undefined {
    return this.#failure;
  }

  protected addRow(cells: readonly (string | number | null | undefined)[]): void {
    this.#waiting += `${cells.map(toCell).join(',')}\n`;
    this.#count++;
    if (this.#file !== undefined && this.#waiting.length > WAITING_LENGTH) this.#write(this.#file);
  }

  close(): void {
    if (this.#file === undefined) {
      this.stdout.write(this.#waiting);
      return;
    }
    this.#write(this.#file);
    closeSync(this.#file);
  }

  #write(file: number): void {
    try {
      if (this.#failure === undefined) writeFileSync(file, this.#waiting);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      this.#failure = `The report ${this.name} could not be written (${code}). It is incomplete.`;
    }
    this.#waiting = '';
  }
}

/** All problems of an import. It contains record IDs but no values. */
export class ProblemReport extends ImportReport {
  readonly #added = new WeakSet<object>();

  /** @param output the path of the file, or `-` for standard output */
  constructor(output: string, stdout: Output) {
    super(output, stdout, 'line,row,record,column,problem,suggestion\n', '--report', 'problems');
  }

  /** Adds a problem, unless it was: an error repeats what the checks reported as they found it. */
  add(problem: FieldProblem & Partial<RecordProblem>): void {
    if (this.#added.has(problem)) return;
    this.#added.add(problem);
    const { line, row, record, field, message, suggestion } = problem;
    this.addRow([line, row, record, field, message, suggestion]);
  }
}

/** All changes that an import would make, with the stored values and the new ones. */
export class ChangeReport extends ImportReport {
  /** @param output the path of the file, or `-` for standard output */
  constructor(output: string, stdout: Output) {
    super(output, stdout, 'line,row,record,event,instance,column,change,old,new\n', '--diff-csv', 'changes');
  }

  add({ line, row, record, event, instance, field, kind, old, new: now }: ImportChange): void {
    this.addRow([line, row, record, event, instance, field, kind, old, now]);
  }
}

/** Returns whether a file exists that is neither empty nor an earlier report, such as the imported file itself. */
function isOtherFile(path: string, header: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isFile() || stats.size === 0) return false;
  const file = openSync(path, 'r');
  try {
    const start = Buffer.alloc(header.length);
    readSync(file, start);
    return start.toString() !== header;
  } finally {
    closeSync(file);
  }
}

/** Opens a file that only its owner can read, even if it exists and others could read it. */
function openForOwner(path: string): number {
  const existing = statSync(path, { throwIfNoEntry: false });
  // A device may have the name of a link, such as `/dev/stderr`; behind that of a file may be a file of anybody's choice.
  const isDevice = existing !== undefined && !existing.isFile();
  const flags = isDevice ? constants.O_WRONLY : constants.O_WRONLY | constants.O_CREAT | NO_FOLLOW;
  const file = openSync(path, flags, MODE);
  try {
    if (fstatSync(file).isFile()) {
      // Before it is emptied: the file of another user is kept.
      fchmodSync(file, MODE);
      ftruncateSync(file);
    }
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

const MODE = 0o600;

/** Record IDs and values are user input, and might be formulas. */
function toCell(value: string | number | null | undefined): string {
  return spreadsheetCell(String(value ?? ''));
}

const WAITING_LENGTH = 64 * 1024;
