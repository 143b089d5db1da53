/** What became of a call: `ok`, or the code of its error. */
export type CallOutcome = string;

/** Hears of calls to REDCap: of each operation as it was asked for, and of each attempt as it was sent. */
export interface CallObserver {
  /** An operation begins; the function is called once, when it is over (a stream: when it is closed). */
  began(content: string, kind: 'call' | 'stream'): (outcome: CallOutcome) => void;
  /** A request is sent; the function is called when its answer, of a stream its beginning, is there. */
  sent(content: string, isRetry: boolean): (outcome: CallOutcome) => void;
  /** The circuit breaker has opened or closed. */
  circuitChanged(isOpen: boolean): void;
}

/** @returns the content of a call for a label: names of REDCap's API, and nothing a caller could choose */
export function contentOf(parameters: object): string {
  const { content } = parameters as { readonly content?: unknown };
  return typeof content === 'string' && /^[A-Za-z_]{1,40}$/.test(content) ? content : 'other';
}

/** @returns the code of one of this package's errors */
export function outcomeOf(error: unknown): CallOutcome {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' && /^[a-z_]{1,40}$/.test(code) ? code : 'internal_error';
}
