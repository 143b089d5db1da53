/**
 * The profiles of `--redcap-version` and the full version of each. Code that depends on the version checks `isAtLeast`.
 *
 * @see docs/protocol/redcap.md 14 (spec, client); the last number of 17.4 is a choice
 */
export const VERSION_PROFILES = {
  '14.5': '14.5.10',
  '15.5': '15.5.32',
  '16.1': '16.1.9',
  '17.4': '17.4.0',
} as const;

/** A value of `--redcap-version`. */
export type VersionProfile = keyof typeof VERSION_PROFILES;

/** The REDCap version that the sandbox imitates. */
export class ServerVersion {
  /** @param text such as `16.1.9` */
  constructor(readonly text: string) {}

  /** @param other such as `15.6` or `15.8.2`; missing parts count as the least */
  isAtLeast(other: string): boolean {
    return this.text.localeCompare(other, 'en', { numeric: true }) >= 0;
  }
}
