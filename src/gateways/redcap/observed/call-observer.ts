/** What became of a call: `ok`, or the code of its error. */
export type CallOutcome = string;

/**
 * Called with every operation of REDCap's API as it was asked for, and with every attempt as it was sent. `content` and
 * `action` are REDCap's own names; many operations have no action.
 */
export interface CallObserver {
  /**
   * An operation begins; the function is called once, when it is over (a stream: when it is closed), with the number of
   * rows that were read or stored, where the answer says it.
   */
  began(
    content: string,
    kind: 'call' | 'stream',
    action?: string,
  ): (outcome: CallOutcome, rows?: number) => void;
  /** A request is sent; the function is called when its answer, of a stream its beginning, is there. */
  sent(content: string, isRetry: boolean, action?: string): (outcome: CallOutcome) => void;
  /** The circuit breaker has opened or closed. */
  circuitChanged(isOpen: boolean): void;
}

/** @returns the content of a call for a label: names of REDCap's API, and nothing a caller could choose */
export function contentOf(parameters: object): string {
  return nameIn(parameters, 'content') ?? 'other';
}

/** @returns the action of a call, as REDCap's API names it; undefined without one */
export function actionOf(parameters: object): string | undefined {
  return nameIn(parameters, 'action');
}

function nameIn(parameters: object, key: 'content' | 'action'): string | undefined {
  const { [key]: name } = parameters as { readonly content?: unknown; readonly action?: unknown };
  return typeof name === 'string' && /^[A-Za-z_]{1,40}$/.test(name) ? name : undefined;
}

/** @returns how many rows an answer has: those of a list, or the number that REDCap counted */
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
