/**
 * Decodes a header again as UTF-8. Node decodes headers as Latin-1, but many senders write file names in UTF-8.
 *
 * @returns the header unchanged if its bytes are not valid UTF-8
 */
export function utf8OfLatin1(header: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(header, 'latin1'));
  } catch {
    return header;
  }
}
