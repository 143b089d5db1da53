/**
 * The failure of one call in a form that can be kept and logged: the status and Appwrite's error type. The upstream's
 * message and body are dropped, because they can contain addresses.
 */
export class AppwriteFailure extends Error {
  override readonly name = 'AppwriteFailure';

  /**
   * @param status the HTTP status; 0 if there was no answer, or an unreadable one
   * @param type Appwrite's error type, or the kind of connection failure; empty if unknown
   * @param parameter the parameter that a 400 names
   */
  constructor(
    readonly status: number,
    readonly type: string,
    readonly parameter?: string,
  ) {
    super(`${status} ${type}`.trim());
  }

  /** Whether the upstream is unreachable or failing, so that the same call may succeed later. */
  get isOutage(): boolean {
    return this.status === 0 || this.status === 408 || this.status === 429 || this.status >= 500;
  }
}

/**
 * Reads the four kinds of failure of an SDK call: `AppwriteException`, `TypeError` from fetch, `DOMException` from our
 * time limit, and objects that are not an `Error` (an answer that is not JSON).
 *
 * @see docs/protocol/appwrite.md 2.4 (source), 8 and 9.2 (client)
 */
export function appwriteFailure(thrown: unknown): AppwriteFailure {
  if (thrown instanceof AppwriteFailure) return thrown;
  if (!isRecord(thrown)) return new AppwriteFailure(0, 'unreadable_answer');
  if (thrown.name === 'AppwriteException') return ofException(thrown);
  if (thrown.name === 'TimeoutError' || thrown.name === 'AbortError')
    return new AppwriteFailure(0, 'timeout');
  if (thrown instanceof TypeError) return new AppwriteFailure(0, networkType(thrown));
  return new AppwriteFailure(0, 'unreadable_answer');
}

function ofException({ code, type, message }: Record<string, unknown>): AppwriteFailure {
  const status = typeof code === 'number' && code >= 100 && code < 600 ? code : 0;
  // A proxy's error page has no type and can have any status.
  const known = typeof type === 'string' && /^[a-z][a-z0-9_]{0,63}$/.test(type) ? type : '';
  const [, parameter] =
    /^Invalid `([A-Za-z]{1,32})` param:/.exec(typeof message === 'string' ? message : '') ?? [];
  return new AppwriteFailure(status, known, parameter);
}

function networkType({ cause }: TypeError): string {
  const code = isRecord(cause) ? cause.code : undefined;
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{0,63}$/.test(code) ? code : 'transport';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
