/** @returns a label without its HTML, of which a name in a table needs none */
export function plain(label: string): string {
  return label.replace(/<[^>]*>/g, '').trim();
}
