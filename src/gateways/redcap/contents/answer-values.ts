import * as z from 'zod';

/*
 * Values in REDCap's answers. Unknown keys are dropped, because every version adds some. Depending on the version, a
 * number may arrive as a string and a string as a number.
 */

/** Any text; missing becomes blank. */
export const text = z.union([z.string(), z.number(), z.boolean()]).nullish().transform(toText);

/** A text that must be present. */
export const requiredText = z.union([z.string(), z.number()]).transform(String);

/**
 * The unique name of a field, instrument or event. Files, tables and generated code are named after it, so that nothing
 * but letters, digits and underscores is one, whoever answers.
 */
export const uniqueName = requiredText.refine((name) => /^\w+$/.test(name));

export const integer = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^-?\d+$/)
      .transform(Number),
  ])
  .pipe(z.int());

/** A whole number, or undefined if it is blank. */
export const optionalInteger = text.transform((value) =>
  /^-?\d{1,15}$/.test(value) ? Number(value) : undefined,
);

/** A boolean: true if it is `1` or `true`. */
export const flag = text.transform((value) => value === '1' || value === 'true');

function toText(value: string | number | boolean | null | undefined): string {
  return value === null || value === undefined ? '' : String(value);
}

/**
 * An object of an answer, whose properties have our names in place of REDCap's.
 *
 * @param properties REDCap's name of each, and its values
 */
export function renamed<const Properties extends Readonly<Record<string, readonly [string, z.ZodType]>>>(
  properties: Properties,
) {
  const entries = Object.entries(properties);
  return z.object(Object.fromEntries(entries.map(([, wire]) => wire))).transform((row) => {
    const named: Record<string, unknown> = {};
    for (const [name, [wireName]] of entries) named[name] = row[wireName];
    // Each has what its values are parsed to.
    return named as { readonly [Name in keyof Properties]: z.output<Properties[Name][1]> };
  });
}
