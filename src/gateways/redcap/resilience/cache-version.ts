/** Which answers of REDCap may be remembered, where several processes remember them. */
export interface CacheVersion {
  /** @returns the present version; `undefined` when it cannot be known, and each process goes by the time alone */
  current(): Promise<string | undefined>;
  /** Makes another version: what was remembered may be wrong. Never fails. */
  renew(): Promise<void>;
}
