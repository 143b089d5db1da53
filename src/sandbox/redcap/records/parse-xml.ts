import type { ImportedRow } from './imported-row.js';

const CDATA = String.raw`<!\[CDATA\[[\s\S]*?\]\]>`;
const ITEM = new RegExp(String.raw`<item>((?:${CDATA}|(?!<!\[CDATA\[)[\s\S])*?)</item>`, 'g');
const CELL = new RegExp(String.raw`<([a-z]\w*)(?:/>|>((?:${CDATA}|[^<])*)</\1>)`, 'gi');
/** CDATA, which is kept, or an element that holds elements: the rights by instrument of a user or a role. @see docs/protocol/redcap.md 20 (doc) */
const NESTED = new RegExp(
  String.raw`${CDATA}|<([a-z]\w*)>\s*((?:<([a-z]\w*)>(?:${CDATA}|[^<])*</\3>\s*)+)</\1>`,
  'gi',
);
const PART = new RegExp(String.raw`<!\[CDATA\[([\s\S]*?)\]\]>|&(#?\w+);`, 'g');

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
]);

const RECORDS = /<records\s*\/>|<\/records>\s*$/;
const ANY_LIST = /<\w+\s*\/>\s*$|<\/\w+>\s*$/;

/**
 * Parses the rows of an XML import: `<records><item><field>value</field></item></records>`, with plain values or CDATA.
 *
 * @param hasAnyRoot whether to accept any root element, or a single item without one, as in imports of a project's
 * structure
 * @returns undefined when there is no list of items
 * @see docs/protocol/redcap.md 1.8 (doc), 20 (client)
 */
export function parseXmlRows(data: string, hasAnyRoot = false): ImportedRow[] | undefined {
  if (!(hasAnyRoot ? ANY_LIST : RECORDS).test(data)) return undefined;
  return [...data.matchAll(ITEM)].map(
    ([, item = '']) =>
      new Map(
        [...(hasAnyRoot ? flattened(item) : item).matchAll(CELL)].map(
          ([, name = '', value = '']): [string, string] => [name, decode(value)],
        ),
      ),
  );
}

/** Rights by instrument become one cell, as CSV has them: `form_1:1,form_2:0`. */
function flattened(item: string): string {
  return item.replace(NESTED, (whole, name: string | undefined, inner: string) => {
    if (name === undefined) return whole;
    const pairs = [...inner.matchAll(CELL)].map(([, form = '', right = '']) => `${form}:${right}`);
    return `<${name}>${pairs.join(',')}</${name}>`;
  });
}

function decode(text: string): string {
  return text.replace(PART, (whole: string, data: string | undefined, entity: string | undefined) => {
    if (entity === undefined) return data ?? '';
    return ENTITIES.get(entity) ?? numericEntity(entity) ?? whole;
  });
}

function numericEntity(entity: string): string | undefined {
  const [, decimal, hexadecimal] = /^#(?:(\d{1,7})|x([0-9a-f]{1,6}))$/i.exec(entity) ?? [];
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}
