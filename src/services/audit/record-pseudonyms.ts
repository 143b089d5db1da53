import { foldedRecord } from '../../records/import/confirmed-count.js';

/** Maximum number of records that one entry names: some 20 KB. */
export const MAX_NAMED_RECORDS = 1000;

/**
 * Returns the pseudonym of a record. Ids that REDCap may take for the same record, because they differ only in case,
 * accents or outer blanks, have the same.
 */
export function recordPseudonym(id: string, pseudonymOf: (subject: string) => string): string {
  return pseudonymOf(foldedRecord(id));
}
