import { closeSync, openSync, writeSync } from 'node:fs';
import type { FieldProblem, RecordProblem } from '../errors/field-problem.js';
import { CliError } from './cli-error.js';
import { EXIT_CODES } from './exit-codes.js';

const HEADER = ['line', 'row', 'record', 'column', 'problem', 'suggestion'];

/**
 * Writes all problems of an import to a CSV file for a spreadsheet. The file contains record IDs but no values, and
 * only its owner can read it.
 */
export class ProblemReport {
  readonly #file: number;
  #count = 0;
  #waiting = `${HEADER.join(',')}\n`;

  /** @throws {CliError} the file cannot be written */
  constructor(readonly path: string) {
    try {
      this.#file = openSync(path, 'w', 0o600);
    } catch (cause) {
      throw new CliError('--report must name a file that can be written', EXIT_CODES.usage, { cause });
    }
  }

  /** The number of problems written. */
  get count(): number {
    return this.#count;
  }

  add(problem: FieldProblem & Partial<RecordProblem>): void {
    const { line, row, record, field, message, suggestion } = problem;
    this.#waiting += `${[line, row, record, field, message, suggestion].map(toCell).join(',')}\n`;
    this.#count++;
    if (this.#waiting.length > WAITING_LENGTH) this.#write();
  }

  close(): void {
    this.#write();
    closeSync(this.#file);
  }

  #write(): void {
    writeSync(this.#file, this.#waiting);
    this.#waiting = '';
  }
}

/** Puts an apostrophe before text that a spreadsheet would read as a formula, since record IDs are user input. */
function toCell(value: string | number | undefined): string {
  const text = String(value ?? '').replace(/^[=+\-@\t\r]/, "'$&");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const WAITING_LENGTH = 64 * 1024;
