/** How long each stage of an upstream call may take, in milliseconds. The stages start again with each attempt. */
export interface UpstreamTimeouts {
  /** DNS lookup, TCP and TLS. */
  readonly connectMs: number;
  /** From the last byte sent to the first byte of the answer: the time in which REDCap processes the call. */
  readonly firstByteMs: number;
  /** The longest silence within an answer, while its bytes are being read. */
  readonly idleMs: number;
}

/** The time limits of a client that sets none. */
export const DEFAULT_TIMEOUTS: UpstreamTimeouts = { connectMs: 5_000, firstByteMs: 30_000, idleMs: 30_000 };
