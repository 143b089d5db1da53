import { writePdf } from '../redcap/files/write-pdf.js';
import type { StudyFile } from '../redcap/study.js';

/**
 * Creates the signed consent form that a row names, so that every file of a study can be downloaded.
 *
 * @param day `YYYY-MM-DD`
 * @returns an empty list if the row names none
 */
export function consentForm(row: Readonly<Record<string, string>>, day: string): StudyFile[] {
  const { record_id: record = '', redcap_event_name: event = '', consent_form: name } = row;
  if (name === undefined) return [];
  return [
    {
      ...{ record, event, instrument: '', instance: 0, field: 'consent_form' },
      ...{ name, type: 'application/pdf' },
      bytes: writePdf(['Consent', `${record} consented on ${day}.`]),
    },
  ];
}
