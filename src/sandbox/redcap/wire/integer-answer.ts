import type { Answer, Format } from './answer.js';

/** A bare integer, in any format: what imports of structure, deletions and renames answer. @see docs/protocol/redcap.md 1.8 (client) */
export function integerAnswer(count: number, { returnFormat }: { readonly returnFormat: Format }): Answer {
  return { kind: 'written', body: String(count), format: returnFormat };
}
