/** One item of a structured field list (RFC 9651): `"name"; q=5; w=60`. */
export interface FieldItem {
  readonly item: string;
  readonly parameters: Readonly<Record<string, number | string>>;
}

/** Parses a list of strings with integer or byte sequence parameters. Throws on anything else. */
export function parseFields(text: string | null | undefined): FieldItem[] {
  return (text ?? '').split(/ *, */).map((member) => {
    const [, item = '', rest = ''] = /^"([ !#-[\]-~]*)"(.*)$/.exec(member) ?? fail(member);
    const parameters = [...rest.matchAll(/; *([a-z*][a-z0-9_.*-]*)=(-?\d{1,15}|:[A-Za-z0-9+/=]*:)/gy)];
    if (parameters.map(([whole]) => whole).join('') !== rest) fail(member);
    const values = parameters.map(([, name = '', value = '']): [string, number | string] => [
      name,
      value.startsWith(':') ? value : Number(value),
    ]);
    return { item, parameters: Object.fromEntries(values) };
  });
}

function fail(member: string): never {
  throw new Error(`No structured field: ${member}`);
}
