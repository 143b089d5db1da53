import type { DataDictionary } from '../domain/dictionary/data-dictionary.js';
import type { UserRights } from '../gateways/redcap/crf-client.js';
import type { Policy } from './policy-file.js';

/** The name of the policy of whoever sees what REDCap shows the user with their address. No policy of a file can have it. */
export const MIRRORED = 'mirror:redcap-user';

/**
 * Returns the policy that grants what REDCap grants a user: the forms that they may see and export, the changes that
 * they may make there, and the records of their group. Identifiers are hidden on a form that they may export only
 * without these. A form that they may export only de-identified is hidden, because REDCap also hashes the record ids.
 *
 * @see docs/protocol/redcap.md 4.7, 10.3 (doc)
 */
export function mirroredPolicy(
  { dataAccessGroup, forms, formsExport }: Pick<UserRights, 'dataAccessGroup' | 'forms' | 'formsExport'>,
  { fields, instruments }: DataDictionary,
): Policy {
  const exported = instruments.filter((form) => formsExport[form] === 1 || formsExport[form] === 3);
  const hide = fields
    .filter(({ instrument, isIdentifier }) => isIdentifier && formsExport[instrument] !== 1)
    .map(({ name }) => name);
  return {
    records: dataAccessGroup === '' ? 'all' : { group: dataAccessGroup },
    forms: Object.fromEntries(exported.map((form) => [form, accessOf(forms[form] ?? 0)])),
    fields: { hide },
    create: false,
    files: 'none',
    logs: 'none',
    deidentify: 'none',
  };
}

/** From REDCap 15.6 on, the lowest bits beside 128 say what before was the whole number, but for view and edit. */
function accessOf(right: number): 'read' | 'write' | 'none' {
  if (right >= 128) return (['none', 'read', 'write', 'none'] as const)[right & 3] ?? 'none';
  return (['none', 'write', 'read', 'write'] as const)[right] ?? 'none';
}
