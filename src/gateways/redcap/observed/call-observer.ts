/** The outcome of a call: `ok`, or its error code. */
export type CallOutcome = string;

/**
 * Receives every operation of REDCap's API that is called, and every request that is sent. `content` and `action` are
 * REDCap's names; many operations have no action. What an observer throws is ignored.
 */
export interface CallObserver {
  /**
   * Called when an operation begins. The returned function is called once, when the operation is over (for a stream,
   * when it is closed), with the number of rows read or stored if the answer states it.
   */
  began(
    content: string,
    kind: 'call' | 'stream',
    action?: string,
  ): (outcome: CallOutcome, rows?: number) => void;
  /**
   * Called when a request is sent. The returned function is called when its answer has arrived (for a stream, its
   * beginning).
   */
  sent(content: string, isRetry: boolean, action?: string): (outcome: CallOutcome) => void;
  /**
   * Called when the circuit breaker has opened or closed.
   *
   * @param cause of the last call before it opened
   */
  circuitChanged(isOpen: boolean, cause?: Error): void;
}
