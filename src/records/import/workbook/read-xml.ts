import { SaxesParser } from 'saxes';
import { BOUNDS, refuseBeyond } from './workbook-limits.js';

export type Attributes = Readonly<Record<string, string | undefined>>;

/** What a reader of an XML file hears. Names are without prefix, since a writer of workbooks may choose any. */
export interface XmlListener {
  open(name: string, attributes: Attributes): void;
  text?(text: string): void;
  close?(name: string): void;
}

export interface XmlBounds {
  readonly elements: number;
  /** Called now and then, to give up. */
  readonly check: () => void;
}

/**
 * Reads an XML file of a workbook. Every piece of it is bounded before it is parsed, so that neither a long token nor
 * deep or wide elements take memory or time.
 *
 * @throws {WorkbookRefusal} it has something that no spreadsheet has
 * @throws {Error} it is not well-formed XML in UTF-8, or declares a document type
 */
export function readXml(bytes: Uint8Array, { elements, check }: XmlBounds, listener: XmlListener): void {
  let [count, level, attributes] = [0, 0, 0];
  const parser = new SaxesParser({ position: false, xmlns: false });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('doctype', () => {
    throw new Error('A workbook declares no document type.');
  });
  parser.on('opentagstart', ({ name }) => {
    refuseBeyond('elements', ++count, elements);
    refuseBeyond('levels', ++level, BOUNDS.levels);
    refuseBeyond('name_characters', name.length, BOUNDS.name_characters);
    attributes = 0;
  });
  parser.on('attribute', ({ name }) => {
    refuseBeyond('attributes', ++attributes, BOUNDS.attributes);
    refuseBeyond('name_characters', name.length, BOUNDS.name_characters);
  });
  parser.on('opentag', ({ name, attributes: given }) => {
    listener.open(localName(name), localNames(given));
  });
  const text = (piece: string): void => listener.text?.(piece);
  parser.on('text', text);
  parser.on('cdata', text);
  parser.on('closetag', ({ name }) => {
    level--;
    listener.close?.(localName(name));
  });
  for (const piece of boundedPieces(bytes)) {
    check();
    parser.write(piece);
  }
  parser.close();
}

/** Decodes XML in pieces, after a look at how much stands between two beginnings of tags. */
function* boundedPieces(bytes: Uint8Array): Generator<string, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let last = 0;
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    const end = Math.min(at + PIECE_BYTES, bytes.length);
    for (let tag = bytes.indexOf(LESS, last + 1); tag >= 0 && tag < end; tag = bytes.indexOf(LESS, tag + 1)) {
      refuseBeyond('markup_bytes', tag - last, BOUNDS.markup_bytes);
      last = tag;
    }
    refuseBeyond('markup_bytes', end - last, BOUNDS.markup_bytes);
    yield decoder.decode(bytes.subarray(at, end), { stream: true });
  }
  yield decoder.decode();
}

const PIECE_BYTES = 64 * 1024;
const LESS = 0x3c;
function localNames(given: Attributes): Attributes {
  const names = Object.keys(given);
  if (!names.some((name) => name.includes(':'))) return given;
  return Object.fromEntries(
    names.filter((name) => !name.startsWith('xmlns')).map((name) => [localName(name), given[name]]),
  );
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
