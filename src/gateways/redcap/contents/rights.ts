import * as z from 'zod';
import type { Shape, OrUndefined } from '../../../domain/identifiers/check-options.js';
import { text } from './answer-values.js';

// Versions add rights: a missing name is one that this REDCap does not know (docs/protocol/redcap.md 10.3).
/**
 * Rights by their REDCap names: 0 for no, 1 for yes; 2 in `user_rights` is read-only.
 * @example { "api_export": 1, "design": 0 }
 */
export interface Rights {
  /** @isInt */
  readonly [right: string]: number;
}

/**
 * Rights by the unique names of instruments. In `forms`: 128 none, 129 view, 130 edit, `+8` survey responses, `+16`
 * delete (before REDCap 15.6: 0 none, 1 edit, 2 view). In `formsExport`: 0 none, 1 full, 2 de-identified, 3 without
 * identifiers.
 * @example { "demographics": 130 }
 */
export interface FormRights {
  /** @isInt */
  readonly [instrument: string]: number;
}

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
  'username',
  'email',
  'firstname',
  'lastname',
  'expiration',
  'data_access_group',
  'data_access_group_id',
  'data_access_group_label',
  'unique_role_name',
  'role_label',
  'forms',
  'forms_export',
  'data_export',
]);

/** The rights of a user or a role, in the project and in each instrument. */
export interface RightsHolder {
  readonly rights: Rights;
  readonly forms: FormRights;
  readonly formsExport: FormRights;
}

/** Rights to give; omitted ones stay unchanged. */
export interface RightsChange {
  readonly rights?: Rights;
  readonly forms?: FormRights;
  readonly formsExport?: FormRights;
}

/** The rights of a row that also describes a user or a role. */
export const RightsRow: z.ZodType<RightsHolder> = z.record(z.string(), z.unknown()).transform((row) => ({
  rights: Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) => {
      const right = NAMES.has(name) ? undefined : number.safeParse(value).data;
      return right === undefined ? [] : [[name, right] as const];
    }),
  ),
  forms: formRights.safeParse(row.forms).data ?? {},
  formsExport: formRights.safeParse(row.forms_export).data ?? {},
}));

const right = z.int('must be a whole number from 0').gte(0, 'must be a whole number from 0');
const rightsByName = z.record(z.string(), right, 'must be an object');

/** The rights to import. One with the name of another cell of the row would replace that cell. */
export const RIGHTS = {
  rights: rightsByName
    .superRefine((rights, context) => {
      for (const name of Object.keys(rights).filter((name) => NAMES.has(name))) {
        context.addIssue({ code: 'custom', path: [name], message: 'is not the name of a right' });
      }
    })
    .optional(),
  forms: rightsByName.optional(),
  formsExport: rightsByName.optional(),
} satisfies Shape<RightsChange>;

/** Returns the cells of an import: rights by their names, and instrument rights as objects. */
export function toRightsRow({
  rights,
  forms = {},
  formsExport = {},
}: OrUndefined<RightsChange>): Record<string, unknown> {
  return { ...rights, ...unlessEmpty('forms', forms), ...unlessEmpty('forms_export', formsExport) };
}

/** An empty cell would take away the rights to every instrument. @see docs/protocol/redcap.md 20 (client) */
function unlessEmpty(column: string, rights: Rights): Record<string, Rights> {
  return Object.keys(rights).length === 0 ? {} : { [column]: rights };
}
