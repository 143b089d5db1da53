import { parseDictionaryCsv } from '../../../../src/domain/dictionary/dictionary-csv.js';
import type { FieldProblem } from '../../../../src/domain/errors/field-problem.js';
import { InvalidRequestError } from '../../../../src/domain/errors/caller-errors.js';

/** @returns the error that refuses a file, or undefined if it is accepted. Rethrows any other error. */
export async function dictionaryRefusal(text: string): Promise<InvalidRequestError | undefined> {
  try {
    await parseDictionaryCsv(text);
    return undefined;
  } catch (error) {
    if (error instanceof InvalidRequestError) return error;
    throw error;
  }
}

/** @returns the problems of a file, each as `field message` */
export async function problemsOf(text: string): Promise<string[]> {
  const problems: readonly FieldProblem[] = (await dictionaryRefusal(text))?.errors ?? [];
  return problems.map(({ field, message }) => `${field} ${message}`);
}
