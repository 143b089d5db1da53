import type { Readable } from 'node:stream';
import { rowTally, type CountedForm } from '../row-output/row-tally.js';
import type { AuditNotes } from './audit-entry.js';

/**
 * Notes how many rows of a body have passed. Call it in the same turn of the event loop in which somebody else begins to
 * read the body, and before: listening makes it flow.
 */
export function countRows(body: Readable, form: CountedForm, notes: AuditNotes): void {
  const tally = rowTally(form);
  notes.add({ rows: 0 });
  body.on('data', (chunk: Buffer) => {
    tally.take(chunk);
    notes.add({ rows: tally.rows });
  });
}
