import { refusal } from '../domain/errors/refusal.js';

/** The attributes of an element, by name. */
export type XmlAttributes = ReadonlyMap<string, string>;

/** An element of a document, with the elements in it. */
export class XmlElement {
  readonly children: XmlElement[] = [];
  /** The text that stands in the element itself. */
  text = '';

  constructor(
    readonly name: string,
    readonly attributes: XmlAttributes,
  ) {}

  /** Returns an attribute; empty if there is none. */
  value(attribute: string): string {
    return this.attributes.get(attribute) ?? '';
  }

  /** Returns the element itself and those in it, at any depth; those of one depth in document order. */
  descendants(name?: string): XmlElement[] {
    const found: XmlElement[] = [this];
    for (const { children } of found) for (const child of children) found.push(child);
    return name === undefined ? found : found.filter((element) => element.name === name);
  }
}

/** Number of characters passed to the parser at a time. */
const CHUNK = 1 << 20;

/**
 * Reads an XML document. Only the five predefined entities and numeric ones are resolved. A document type declaration,
 * which could define others, is refused: no entity can expand or load anything.
 *
 * @param takeSubject receives each `SubjectData`, with the document as read so far, which keeps none of them: the
 * records of a large project are never in memory at once
 * @returns the element around the outermost one
 * @throws {InvalidRequestError} naming the line, never quoting it
 */
export async function readXml(
  document: string,
  takeSubject: (subject: XmlElement, root: XmlElement) => void,
): Promise<XmlElement> {
  const library = await import('saxes');
  // In the bundle, the library's classes are on `default` only; with a TypeScript loader, they are not.
  const { SaxesParser } = (library.default as typeof library | undefined) ?? library;
  const parser = new SaxesParser({ position: true });
  const around = new XmlElement('', new Map());
  const open = [around];
  const addText = (text: string): void => {
    const element = open.at(-1);
    if (element !== undefined) element.text += text;
  };
  parser.on('error', () => {
    throw refusal(`project XML line ${parser.line}`, 'is not well-formed XML');
  });
  parser.on('doctype', () => {
    throw refusal(`project XML line ${parser.line}`, 'declares a document type, which is refused');
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element = new XmlElement(name, new Map(Object.entries(attributes)));
    if (name !== 'SubjectData') open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', ({ name }) => {
    const element = open.pop();
    if (name === 'SubjectData' && element !== undefined) takeSubject(element, around);
  });
  const text = withEscapedBreaks(withoutControls(document));
  for (let at = 0; at < text.length; at += CHUNK) parser.write(text.slice(at, at + CHUNK));
  parser.close();
  return around;
}

/** Removes control characters, and the byte order mark, which is not part of the text. */
function withoutControls(document: string): string {
  return document.replace(/^\ufeff/, '').replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '');
}

/** A tag, a comment or a CDATA section. Without an end, the latter two reach to the end of the document. */
const TAG = /<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|<!--[\s\S]*?(?:-->|$)|<[A-Za-z_](?:[^<>"']|"[^"<]*"|'[^'<]*')*>/g;

/**
 * Escapes the line breaks and tabs in attribute values. REDCap writes them unescaped, and a parser would turn them into
 * spaces.
 *
 * @see docs/protocol/redcap.md 9.8 (client: files of REDCapR)
 */
function withEscapedBreaks(document: string): string {
  return document.replace(TAG, (tag) =>
    tag.startsWith('<!') || !/[\n\t]/.test(tag)
      ? tag
      : tag.replace(/"[^"]*"|'[^']*'/g, (value) =>
          value.replaceAll(/\r?\n/g, '&#10;').replaceAll('\t', '&#9;'),
        ),
  );
}

/** Characters that XML 1.0 does not allow, escaped or not. REDCap leaves them in, which makes its file invalid. */
const NO_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

/** Escapes text between tags. */
export function xmlText(text: string): string {
  return text
    .replace(NO_XML, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;');
}

/**
 * Writes ` name="value"` for each attribute that is defined. Line breaks are escaped, as parsers read raw ones as
 * spaces.
 */
export function xmlAttributes(attributes: Readonly<Record<string, string | number | undefined>>): string {
  return Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${attributeText(String(value))}"`)
    .join('');
}

function attributeText(value: string): string {
  return xmlText(value).replaceAll('"', '&quot;').replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');
}
