import { closeSync, constants, fchmodSync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import type { FieldProblem, RecordProblem } from '../../errors/field-problem.js';
import { CliError } from '../cli-error.js';
import { EXIT_CODES } from '../exit-codes.js';
import { outputFile } from '../options/hyphens.js';

const HEADER = ['line', 'row', 'record', 'column', 'problem', 'suggestion'];

/**
 * Writes all problems of an import as CSV for a spreadsheet, to a file that only its owner can read or to standard
 * output. It contains record IDs but no values. For standard output it is held in memory and written at the end: a reader
 * that closes the pipe must not end an import that is under way.
 */
export class ProblemReport {
  /** The open file; undefined for standard output. */
  readonly #file: number | undefined;
  #count = 0;
  #waiting = `${HEADER.join(',')}\n`;

  /**
   * @param output the path of the file, or `-` for standard output
   * @throws {CliError} the file cannot be written
   */
  constructor(private readonly output: string) {
    const path = outputFile(output);
    try {
      this.#file = path === undefined ? undefined : openForOwner(path);
    } catch (cause) {
      throw new CliError('--report must name a file that can be written', EXIT_CODES.usage, { cause });
    }
  }

  /** The name of the output in messages. */
  get name(): string {
    return this.#file === undefined ? 'standard output' : this.output;
  }

  /** The number of problems written. */
  get count(): number {
    return this.#count;
  }

  add(problem: FieldProblem & Partial<RecordProblem>): void {
    const { line, row, record, field, message, suggestion } = problem;
    this.#waiting += `${[line, row, record, field, message, suggestion].map(toCell).join(',')}\n`;
    this.#count++;
    if (this.#file !== undefined && this.#waiting.length > WAITING_LENGTH) this.#write(this.#file);
  }

  close(): void {
    if (this.#file === undefined) {
      process.stdout.write(this.#waiting);
      return;
    }
    this.#write(this.#file);
    closeSync(this.#file);
  }

  #write(file: number): void {
    writeSync(file, this.#waiting);
    this.#waiting = '';
  }
}

/** Opens a file that only its owner can read, even if it exists and others could read it. */
function openForOwner(path: string): number {
  const file = openSync(path, constants.O_WRONLY | constants.O_CREAT, MODE);
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

/** Puts an apostrophe before text that a spreadsheet would read as a formula, since record IDs are user input. */
function toCell(value: string | number | undefined): string {
  const text = String(value ?? '').replace(/^[=+\-@\t\r]/, "'$&");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const WAITING_LENGTH = 64 * 1024;
