/**
 * Reads a `Retry-After` header, which contains seconds or a date.
 *
 * @returns whole seconds from now, at most a day; `undefined` if there is no header or it cannot be read
 */
export function toRetryAfterSeconds(header: string | undefined, nowMs = Date.now()): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : (Date.parse(text) - nowMs) / 1000;
  return Number.isFinite(seconds) ? Math.min(Math.max(0, Math.ceil(seconds)), DAY_SECONDS) : undefined;
}

const DAY_SECONDS = 86_400;
