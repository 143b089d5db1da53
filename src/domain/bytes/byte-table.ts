/** @returns a table with 1 at the given bytes and 0 at all others: the fastest way to test a byte against a set */
export function byteTable(bytes: Iterable<number>): Uint8Array {
  const table = new Uint8Array(0x100);
  for (const byte of bytes) table[byte] = 1;
  return table;
}
