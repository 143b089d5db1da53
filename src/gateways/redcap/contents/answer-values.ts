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

/** By our name of each property: REDCap's name, and the values that it answers. */
export type Columns = Readonly<Record<string, readonly [string, z.ZodType]>>;

type ValueOf<Column extends readonly [string, z.ZodType]> = z.output<Column[1]>;

/** What is undefined is left out. */
type Named<Of extends Columns> = {
  readonly [Name in keyof Of as undefined extends ValueOf<Of[Name]> ? never : Name]: ValueOf<Of[Name]>;
} & {
  readonly [Name in keyof Of as undefined extends ValueOf<Of[Name]> ? Name : never]?: NonNullable<
    ValueOf<Of[Name]>
  >;
};

/** An object of an answer, whose properties have our names in place of REDCap's. */
export function renamed<const Of extends Columns>(columns: Of) {
  const entries = Object.entries(columns);
  return z.object(Object.fromEntries(entries.map(([, column]) => column))).transform((row) => {
    const named = entries.map(([name, [wireName]]) => [name, row[wireName]] as const);
    // Each has what its values are parsed to.
    return Object.fromEntries(named.filter(([, value]) => value !== undefined)) as Named<Of>;
  });
}

/** Returns objects under REDCap's names, as an import sends them: no other properties than these columns. */
export function wireRows(columns: Columns, rows: readonly object[]): Record<string, unknown>[] {
  const entries = Object.entries(columns);
  return rows.map((row) =>
    Object.fromEntries(entries.map(([name, [wireName]]) => [wireName, Reflect.get(row, name)])),
  );
}
