import type { Readable } from 'node:stream';
import { rowTally, type CountedForm } from '../row-output/row-tally.js';
import type { AuditNotes } from './audit-entry.js';

/**
 * Adds the number of rows that have passed in a body. Call it before the body is read, in the same turn of the event
 * loop: listening starts the flow.
 */
export function countRows(body: Readable, form: CountedForm, notes: AuditNotes): void {
  const tally = rowTally(form);
  notes.add({ rows: 0 });
  body.on('data', (chunk: Buffer) => {
    tally.take(chunk);
    notes.add({ rows: tally.rows });
  });
}
