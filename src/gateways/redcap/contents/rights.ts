import { z } from 'zod';
import { text } from './answer-values.js';

/**
 * The rights of a user or a role under REDCap's own names, as numbers: 0 no, 1 yes; for `user_rights`, 2 is read-only.
 * Versions add some: a missing name is a right that this REDCap does not know.
 *
 * @see docs/protocol/redcap.md 10.3 (client, doc)
 */
export type Rights = Readonly<Record<string, number>>;

/**
 * Rights by unique instrument name. In `forms`: 128 none, 129 view, 130 edit, `+8` survey responses, `+16` delete
 * (before 15.6: 0 none, 1 edit, 2 view). In `formsExport`: 0 none, 1 full, 2 de-identified, 3 without identifiers.
 *
 * @see docs/protocol/redcap.md 10.3 (doc)
 */
export type FormRights = Readonly<Record<string, number>>;

const number = z.union([
  z.number(),
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
]);

/** Form rights: an object, or `form_1:1,form_2:0`. Anything else means no rights. */
const formRights: z.ZodType<FormRights> = z.union([
  z.record(z.string(), number),
  text.transform((pairs) =>
    Object.fromEntries(
      pairs.split(',').flatMap((pair) => {
        const [form = '', right = ''] = pair.split(':');
        return /^\d{1,9}$/.test(right) ? [[form, Number(right)] as const] : [];
      }),
    ),
  ),
]);

/** Keys of a row that are not rights. */
const NAMES: ReadonlySet<string> = new Set([
  ...['username', 'email', 'firstname', 'lastname', 'expiration', 'data_access_group'],
  ...['data_access_group_id', 'data_access_group_label', 'unique_role_name', 'role_label'],
  ...['forms', 'forms_export', 'data_export'],
]);

export interface RightsHolder {
  readonly rights: Rights;
  readonly forms: FormRights;
  readonly formsExport: FormRights;
}

/** Adds the rights of a row to the entry made from it. */
export function withRights<Entry>(
  toEntry: (row: Readonly<Record<string, unknown>>) => Entry,
): z.ZodType<Entry & RightsHolder> {
  return z.record(z.string(), z.unknown()).transform((row) => ({
    ...toEntry(row),
    rights: Object.fromEntries(
      Object.entries(row).flatMap(([name, value]) => {
        const right = NAMES.has(name) ? undefined : number.safeParse(value).data;
        return right === undefined ? [] : [[name, right] as const];
      }),
    ),
    forms: formRights.catch({}).parse(row.forms),
    formsExport: formRights.catch({}).parse(row.forms_export),
  }));
}

/** Returns the cells of an import: rights by their names, and instrument rights as objects. */
export function toRightsRow(holder: Partial<RightsHolder>): Record<string, unknown> {
  return {
    ...holder.rights,
    ...(holder.forms !== undefined && { forms: holder.forms }),
    ...(holder.formsExport !== undefined && { forms_export: holder.formsExport }),
  };
}
