import { CsvError } from 'csv-parse/sync';
import type { FieldProblem } from '../errors/field-problem.js';

/** What is wrong with a file that is no CSV: the file, the line where its reader stopped, and never a cell. */
export function csvProblem(file: string, cause: unknown): FieldProblem {
  const line: unknown = cause instanceof CsvError ? cause.lines : undefined;
  const field = typeof line === 'number' ? `${file} line ${line}` : file;
  return { field, message: 'is not valid CSV, or has another number of cells than the header' };
}
