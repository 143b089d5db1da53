import { unzipSync } from 'fflate';
import { say } from '../../../domain/errors/sentences.js';
import { CellFormats } from './cell-formats.js';
import { readXml, type Attributes, type XmlListener } from './read-xml.js';
import { SheetRows, type SheetLines } from './sheet-rows.js';
import { plainText, SharedTexts } from './texts.js';
import { BOUNDS, MIB, refuseBeyond, WorkbookRefusal, type WorkbookLimits } from './workbook-limits.js';

/** Which sheet of a workbook is read, and how its numbers are written for the import. */
export interface WorkbookChoice {
  /** The name of the sheet; the first by default. */
  readonly sheet?: string | undefined;
  /** The decimal character that the import reads; a point by default. */
  readonly decimalCharacter?: '.' | ',' | undefined;
  /** Whether the first row has labels, of which several may be the same. */
  readonly rawOrLabelHeaders?: 'raw' | 'label' | undefined;
}

/**
 * Reads a sheet of a workbook without a pause, which is for a thread of its own.
 *
 * @param check called now and then; what it throws ends the reading
 * @throws {WorkbookRefusal} it breaks a rule
 * @throws {Error} it is damaged, encrypted, or no workbook
 */
export function readSheet(
  workbook: Uint8Array,
  { sheet, decimalCharacter: decimal = '.', rawOrLabelHeaders }: WorkbookChoice,
  limits: WorkbookLimits,
  check: () => void,
): SheetLines {
  const parts = unpack(workbook, limits.unpackedBytes);
  const bounds = { elements: 5 * limits.cells, check };
  const read = <Listener extends XmlListener>(path: string, listener: Listener): Listener => {
    const bytes = parts[path];
    if (bytes !== undefined) readXml(bytes, bounds, listener);
    return listener;
  };
  const { types, byId } = read('xl/_rels/workbook.xml.rels', new Relationships());
  const { sheets, is1904 } = read('xl/workbook.xml', new Contents());
  const chosen = sheet === undefined ? sheets[0] : sheets.find(({ name }) => name === sheet);
  if (chosen === undefined && sheets.length > 0)
    throw new WorkbookRefusal(
      say('sheet_name', {
        sheets: sheets.slice(0, MAX_NAMED).map(({ name }) => name.slice(0, MAX_SHEET_NAME)),
      }),
    );
  const path = byId.get(chosen?.id ?? '');
  if (path === undefined || parts[path] === undefined) throw new Error('The workbook has no sheet.');
  const { texts } = read(types.get('sharedStrings') ?? 'xl/sharedStrings.xml', new SharedTexts(limits.cells));
  const formats = read(types.get('styles') ?? 'xl/styles.xml', new CellFormats());
  return read(
    path,
    new SheetRows({ texts, formats, is1904, decimal, headerLabels: rawOrLabelHeaders === 'label' }, limits),
  ).end();
}

const MAX_NAMED = 20;

/** The length that a name has in Excel. */
const MAX_SHEET_NAME = 31;

/**
 * Unpacks the XML of a workbook, which is a ZIP archive. A part is never longer than its directory says, whatever is
 * packed in it.
 */
function unpack(workbook: Uint8Array, maxBytes: number): Readonly<Record<string, Uint8Array>> {
  let [bytes, entries] = [0, 0];
  const parts = unzipSync(workbook, {
    filter: ({ name, size, originalSize }) => {
      // A directory of the ZIP64 kind may state four thousand million entries that are not there.
      refuseBeyond('entries', ++entries, BOUNDS.entries);
      if (!/\.(?:xml|rels)$/i.test(name)) return false;
      bytes += Math.max(size, originalSize);
      if (bytes > maxBytes)
        throw new WorkbookRefusal(say('workbook_unpacked', { megabytes: maxBytes / MIB }));
      return true;
    },
  });
  refuseEncrypted(Buffer.from(workbook.buffer, workbook.byteOffset, workbook.length));
  return parts;
}

/** Refuses a file that is marked as encrypted where it stands or in the directory, of an archive that was unpacked. */
function refuseEncrypted(archive: Buffer): void {
  const end = archive.lastIndexOf(END_OF_DIRECTORY, archive.length - 22);
  let at = archive.readUInt32LE(end + 16);
  // The directory of the ZIP64 kind stands elsewhere.
  while (at < end && archive.readUInt32LE(at) === DIRECTORY_ENTRY) {
    const flags = archive.readUInt16LE(at + 8) | archive.readUInt16LE(archive.readUInt32LE(at + 42) + 6);
    if ((flags & 1) === 1) throw new Error('A file of the archive is encrypted.');
    at += [28, 30, 32].reduce((length, field) => length + archive.readUInt16LE(at + field), 46);
  }
}

const END_OF_DIRECTORY = Buffer.from('PK\u0005\u0006');
const DIRECTORY_ENTRY = 0x02014b50;

/** Where the parts of a workbook are. */
class Relationships implements XmlListener {
  readonly types = new Map<string, string>();
  readonly byId = new Map<string, string>();

  open(name: string, attributes: Attributes): void {
    if (name !== 'Relationship') return;
    const target = attributes['Target'] ?? '';
    const path = target.startsWith('/') ? target.slice(1) : `xl/${target}`;
    this.byId.set(attributes['Id'] ?? '', path);
    // Two editions of the standard differ in what stands before the last slash.
    this.types.set(attributes['Type']?.replace(/^.*\//s, '') ?? '', path);
  }
}

/** The sheets of a workbook, and from when it counts days. */
class Contents implements XmlListener {
  readonly sheets: { readonly name: string; readonly id: string }[] = [];
  is1904 = false;

  open(name: string, attributes: Attributes): void {
    if (name === 'workbookPr') this.is1904 ||= /^(?:1|true)$/.test(attributes['date1904'] ?? '');
    if (name === 'sheet')
      this.sheets.push({ name: plainText(attributes['name'] ?? ''), id: attributes['id'] ?? '' });
  }
}
