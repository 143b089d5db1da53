import { InvalidIdentifierError } from '../../errors/caller-errors.js';

/** A record id as it may stand in a project: older ones are shorter than our rule for new ones. */
export function checkedRecordId(id: string): string {
  if (/^(?!\s*$)[^\u0000-\u001f\u007f-\u009f]{1,100}$/.test(id)) return id;
  throw new InvalidIdentifierError(
    'A record id',
    'has 1 to 100 characters, no control character, and is not blank',
  );
}
