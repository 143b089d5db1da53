import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';

/** An XML file in a workbook, which is a ZIP archive. */
export interface WorkbookPart {
  readonly name: string;
  readonly bytes: Buffer;
}

/**
 * Unpacks the XML of a workbook. The sizes that the archive states are not trusted: unpacking ends at the limit.
 *
 * @param maxBytes the size of the XML of all sheets together; an archive may unpack to a thousand times its size
 * @returns undefined if the limit is exceeded
 * @throws {Error} it is no archive, damaged, encrypted, or packed in another way than workbooks are
 */
export async function unpackWorkbook(archive: Buffer, maxBytes: number): Promise<WorkbookPart[] | undefined> {
  const parts: WorkbookPart[] = [];
  let left = maxBytes;
  for (const { name, isDeflated, packed } of entriesOf(archive)) {
    // A limit of 0 is none.
    const bytes = isDeflated ? await inflate(packed, { maxOutputLength: left + 1 }).catch(tooLarge) : packed;
    left -= bytes?.length ?? Infinity;
    if (bytes === undefined || left < 0) return undefined;
    if (bytes.length > 0) parts.push({ name, bytes });
  }
  return parts;
}

/**
 * Yields an archive of the same parts, unpacked. Its reader gets the bytes that were checked, whatever the headers of
 * the original say.
 */
export function* packWorkbook(parts: readonly WorkbookPart[]): Generator<Buffer, void, undefined> {
  for (const { name, bytes } of parts) {
    const path = Buffer.from(name);
    const header = Buffer.alloc(LOCAL_HEADER_BYTES);
    header.writeUInt32LE(LOCAL_HEADER);
    header.writeUInt32LE(bytes.length, 18);
    header.writeUInt32LE(bytes.length, 22);
    header.writeUInt16LE(path.length, 26);
    yield header;
    yield path;
    yield bytes;
  }
  const end = Buffer.alloc(END_BYTES);
  end.writeUInt32LE(END);
  yield end;
}

const inflate = promisify(inflateRaw);

/** @throws {Error} the bytes are damaged */
function tooLarge(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ERR_BUFFER_TOO_LARGE') throw error;
}

// https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, 4.3
const LOCAL_HEADER = 0x04034b50;
const LOCAL_HEADER_BYTES = 30;
const DIRECTORY_HEADER = 0x02014b50;
const DIRECTORY_HEADER_BYTES = 46;
const END = 0x06054b50;
const END_BYTES = 22;
const STORED = 0;
const DEFLATED = 8;

interface Entry {
  readonly name: string;
  readonly isDeflated: boolean;
  readonly packed: Buffer;
}

/**
 * Yields the XML files that the directory at the end of the archive names.
 *
 * @throws {Error} something is not where it should be
 */
function* entriesOf(archive: Buffer): Generator<Entry, void, undefined> {
  const end = archive.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  const count = archive.readUInt16LE(end + 10);
  let at = archive.readUInt32LE(end + 16);
  for (let index = 0; index < count; index++) {
    expectAt(archive, at, DIRECTORY_HEADER);
    const nameBytes = archive.readUInt16LE(at + 28);
    const nameAt = at + DIRECTORY_HEADER_BYTES;
    const name = archive.toString('utf8', nameAt, nameAt + nameBytes);
    if (/\.xml(?:\.rels)?$/.test(name)) yield { name, ...packedAt(archive, at) };
    at = nameAt + nameBytes + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
}

/** @param at the place of the entry in the directory */
function packedAt(archive: Buffer, at: number): Omit<Entry, 'name'> {
  const method = archive.readUInt16LE(at + 10);
  const bytes = archive.readUInt32LE(at + 20);
  const local = archive.readUInt32LE(at + 42);
  expectAt(archive, local, LOCAL_HEADER);
  const start =
    local + LOCAL_HEADER_BYTES + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
  if ((method !== STORED && method !== DEFLATED) || start + bytes > archive.length)
    throw new Error('The archive is damaged, or packed in another way than workbooks are.');
  return { isDeflated: method === DEFLATED, packed: archive.subarray(start, start + bytes) };
}

function expectAt(archive: Buffer, at: number, signature: number): void {
  if (archive.readUInt32LE(at) !== signature) throw new Error('The archive is damaged.');
}
