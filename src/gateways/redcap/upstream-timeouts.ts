/** How long each stage of one upstream call may take, in milliseconds. Each attempt starts anew. */
export interface UpstreamTimeouts {
  /** Name lookup, TCP and TLS. */
  readonly connectMs: number;
  /** From the last byte sent to the first byte of the answer. REDCap computes in this time. */
  readonly firstByteMs: number;
  /** The longest silence inside an answer, while somebody waits for its bytes. */
  readonly idleMs: number;
}

export const DEFAULT_TIMEOUTS: UpstreamTimeouts = { connectMs: 5_000, firstByteMs: 30_000, idleMs: 30_000 };
