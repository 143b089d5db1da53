/**
 * A failure of one call as it may be kept and logged: the status and Appwrite's own word for it. The upstream's message
 * and body are left behind; they can hold addresses.
 */
export class AppwriteFailure extends Error {
  override readonly name = 'AppwriteFailure';

  /**
   * @param status the HTTP status; 0 when no answer came, or none that can be read
   * @param type Appwrite's error type, or what went wrong on the way; empty when unknown
   * @param parameter the parameter that a 400 names
   */
  constructor(
    readonly status: number,
    readonly type: string,
    readonly parameter?: string,
  ) {
    super(`${status} ${type}`.trim());
  }

  /** The upstream could not be reached, or is in trouble: the same call may succeed later. */
  get isOutage(): boolean {
    return this.status === 0 || this.status === 408 || this.status === 429 || this.status >= 500;
  }
}

/**
 * Reads the four shapes in which a call of the SDK fails: `AppwriteException`, `TypeError` of fetch, `DOMException` of
 * our time limit, and objects that are no `Error` at all (an answer that is not JSON).
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
  // A page of a proxy has no type; it can be of any status.
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
