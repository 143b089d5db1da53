import type { ChangeOutcome, FieldsChange } from '../../services/design/change-preview.js';
import type { Answer } from '../command.js';
import type { Io } from '../io.js';
import { counted, namesInWords, printable } from './table.js';

const NOT_CHECKED = {
  rights: 'whether REDCap lets the user of the token make this change',
  production: 'whether REDCap makes it in production',
  arms: 'arms without events, which REDCap does not list',
  values: 'how many stored values would be lost',
} as const;

/** Returns how many entries a change concerned. Of a dry run, says on stderr what the change would do. */
export function changed(outcome: ChangeOutcome, io: Io): Answer {
  const { count, dryRun, deleted = [], notChecked = [] } = outcome;
  const answer = { data: outcome, text: `${count}` };
  if (!dryRun) return answer;
  const would = deleted.length === 0 ? 'Nothing would be deleted.' : `Would delete ${namesInWords(deleted)}.`;
  const open = notChecked.map((what) => `Not checked: ${NOT_CHECKED[what]}.\n`).join('');
  io.stderr.write(`Nothing was sent. ${would}\n${open}`);
  return answer;
}

/** `site: choice 3 "South" removed: 412 values in 398 records` */
export function changeInWords({ text, values, records = 0 }: FieldsChange): string {
  const lost = values === undefined ? '' : `: ${counted(values, 'value')} in ${counted(records, 'record')}`;
  return `${printable(text)}${lost}`;
}
