import { z } from 'zod';

/*
 * The values of REDCap's answers. Keys we do not know are dropped: every version adds some. A number may come as a string
 * and a string as a number: both have been seen, from one version to the next.
 */

/** Any text; missing is blank. */
export const text = z.union([z.string(), z.number(), z.boolean()]).nullish().transform(toText);

/** A text that an entry cannot do without. */
export const requiredText = z.union([z.string(), z.number()]).transform(String);

export const integer = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^-?\d+$/)
      .transform(Number),
  ])
  .pipe(z.int());

/** A number, or nothing where it is blank. */
export const optionalInteger = text.transform((value) =>
  /^-?\d{1,15}$/.test(value) ? Number(value) : undefined,
);

/** `1` or `true`. */
export const flag = text.transform((value) => value === '1' || value === 'true');

function toText(value: string | number | boolean | null | undefined): string {
  return value === null || value === undefined ? '' : String(value);
}
