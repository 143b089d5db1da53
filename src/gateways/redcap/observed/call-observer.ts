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
  /** Called when the circuit breaker has opened or closed. */
  circuitChanged(isOpen: boolean): void;
}

/** @returns the content of a call, for a metrics label: a short name, never data */
export function contentOf(parameters: object): string {
  return nameIn(parameters, 'content') ?? 'other';
}

/** @returns the action of a call, as REDCap's API names it; undefined if there is none */
export function actionOf(parameters: object): string | undefined {
  return nameIn(parameters, 'action');
}

function nameIn(parameters: object, key: 'content' | 'action'): string | undefined {
  const { [key]: name } = parameters as { readonly content?: unknown; readonly action?: unknown };
  return typeof name === 'string' && /^[A-Za-z_]{1,40}$/.test(name) ? name : undefined;
}

/** @returns the number of rows in an answer: the length of a list, or the count that REDCap reports */
export function rowsOf(answer: unknown): number | undefined {
  if (Array.isArray(answer)) return answer.length;
  const { count } = (answer ?? {}) as { readonly count?: unknown };
  return typeof count === 'number' ? count : undefined;
}

/** @returns the code of one of this package's errors */
export function outcomeOf(error: unknown): CallOutcome {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' && /^[a-z_]{1,40}$/.test(code) ? code : 'internal_error';
}
