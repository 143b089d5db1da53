/** The version of a REDCap, on which its answers depend. */
export class ServerVersion {
  /** @param text such as `16.1.9` */
  constructor(readonly text: string) {}

  /** @param other such as `15.6` or `15.8.2`; missing parts count as the least */
  isAtLeast(other: string): boolean {
    return this.text.localeCompare(other, 'en', { numeric: true }) >= 0;
  }
}
