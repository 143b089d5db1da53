/** Writes a list of ids as one value, which `readIdList` reads. */
export function writeIdList(ids: readonly string[]): string {
  return ids.map((id) => `"${id.replaceAll('"', '""')}"`).join(',');
}
