/**
 * The profiles of `--redcap-version` and the full version of each. Code that depends on one checks
 * `ServerVersion.isAtLeast`.
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
