import { parse, type ParsedUrlQuery } from 'node:querystring';

const DATA = Buffer.from('&data=');
/** An import is the only call sent as a multipart form. */
const HYPHEN = 0x2d;
const JSON_ROW = Buffer.from('"record_id":');
const ROW = Buffer.from('%22record_id%22%3A');

/**
 * A call of REDCap's API. The data of an import is only counted, since parsing it would cost as much as the service
 * does.
 */
export class CallForm {
  readonly #fields: ParsedUrlQuery;
  /** The number of rows of a JSON import; undefined for other calls. */
  readonly importedRows: number | undefined;
  readonly size: number;

  constructor(body: Buffer) {
    this.size = body.length;
    if (body[0] === HYPHEN) {
      this.#fields = { content: 'record' };
      this.importedRows = rowsIn(body, 0, body.length, JSON_ROW);
      return;
    }
    const dataAt = body.indexOf(DATA);
    const dataEnd = dataAt === -1 ? -1 : body.indexOf('&', dataAt + 1);
    const text = dataAt === -1 ? body.toString('latin1') : body.toString('latin1', 0, dataAt);
    this.#fields = parse(text, undefined, undefined, { maxKeys: 0 });
    if (dataAt !== -1) this.importedRows = rowsIn(body, dataAt, dataEnd === -1 ? body.length : dataEnd, ROW);
  }

  text(name: string): string {
    return String(this.#fields[name] ?? '');
  }

  /** `records=A,B`, `records[0]=A&records[1]=B` and `records[]=A`. @see docs/protocol/redcap.md 1.5 */
  list(name: string): string[] {
    return Object.entries(this.#fields)
      .filter(([key]) => key === name || key.startsWith(`${name}[`))
      .flatMap(([key, value]) => (key === name ? String(value ?? '').split(',') : (value ?? [])))
      .filter((value) => value !== '');
  }
}

function rowsIn(body: Buffer, from: number, end: number, row: Buffer): number {
  let rows = 0;
  for (let at = body.indexOf(row, from); at !== -1 && at < end; at = body.indexOf(row, at + 1)) rows += 1;
  return rows;
}
