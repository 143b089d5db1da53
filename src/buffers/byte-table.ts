/** @returns 1 for each of the given bytes, 0 for the others: the quickest way to ask whether a byte is among several */
export function byteTable(bytes: Iterable<number>): Uint8Array {
  const table = new Uint8Array(0x100);
  for (const byte of bytes) table[byte] = 1;
  return table;
}
