import { InvalidRequestError } from '../../../errors/caller-errors.js';

/** Callbacks for the parts of a document, in the order in which they are read. */
export interface XmlListener {
  open(name: string, attributes: ReadonlyMap<string, string>): void;
  text(text: string): void;
  close(name: string): void;
}

/** Characters that are handed to the parser at a time. */
const CHUNK = 1 << 20;

/**
 * Reads an XML document piece by piece, without a tree. Only the five entities of XML itself and numbered ones are known:
 * a document type, which may declare others, is refused, and with it everything that expands or reads elsewhere.
 *
 * @throws {InvalidRequestError} naming the line, never what stands there
 */
export async function readXml(document: string, listener: XmlListener): Promise<void> {
  const library = await import('saxes');
  // The bundle has the classes of the library on `default` alone, a loader of TypeScript outside it alone.
  const { SaxesParser } = (library.default as typeof library | undefined) ?? library;
  const parser = new SaxesParser({ position: true });
  parser.on('error', () => {
    throw unreadable(parser.line, 'is not well-formed XML');
  });
  parser.on('doctype', () => {
    throw unreadable(parser.line, 'declares a document type, which is refused');
  });
  parser.on('opentag', ({ name, attributes }) => {
    listener.open(name, new Map(Object.entries(attributes)));
  });
  parser.on('text', (text) => {
    listener.text(text);
  });
  parser.on('cdata', (text) => {
    listener.text(text);
  });
  parser.on('closetag', ({ name }) => {
    listener.close(name);
  });
  const text = withEscapedBreaks(withoutControls(document));
  for (let at = 0; at < text.length; at += CHUNK) parser.write(text.slice(at, at + CHUNK));
  parser.close();
}

/** A byte order mark too: it is no part of the text. */
function withoutControls(document: string): string {
  return document.replace(/^\ufeff/, '').replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '');
}

const TAG = /<!\[CDATA\[[\s\S]*?\]\]>|<!--[\s\S]*?-->|<[A-Za-z_](?:[^<>"']|"[^"<]*"|'[^'<]*')*>/g;

/**
 * REDCap writes line breaks and tabs of a value into its attribute as they are, where a parser has to read blanks.
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

function unreadable(line: number, message: string): InvalidRequestError {
  return new InvalidRequestError([{ field: `project XML line ${line}`, message }]);
}
