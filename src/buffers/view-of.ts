/** @returns a view of the bytes of a buffer, to read and write several of them at a time */
export function viewOf({ buffer, byteOffset, length }: Buffer): DataView {
  return new DataView(buffer, byteOffset, length);
}
