/** @returns a label without HTML, as needed for names in tables */
export function plain(label: string): string {
  return label.replace(/<[^>]*>/g, '').trim();
}
