import type { Answer, Format } from './answer.js';

/**
 * Answers with a plain integer in every format, as imports of the project's structure, deletes and renames do.
 *
 * @see docs/protocol/redcap.md 1.8 (client)
 */
export function integerAnswer(count: number, { returnFormat }: { readonly returnFormat: Format }): Answer {
  return { kind: 'written', body: String(count), format: returnFormat };
}
