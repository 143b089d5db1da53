/** The version of cached answers, for several processes that cache them. */
export interface CacheVersion {
  /**
   * @returns the current version; `undefined` if it cannot be read, in which case each process relies on the expiry
   *   time alone
   */
  current(): Promise<string | undefined>;
  /** Starts a new version, because cached answers may be outdated. Never fails. */
  renew(): Promise<void>;
}
