import { randomBytes } from 'node:crypto';
import { isSpanContextValid, trace } from '@opentelemetry/api';

/** The position of a request in a trace. */
export interface TraceContext {
  /** The trace id: 32 hexadecimal digits. */
  readonly traceId: string;
  /** The header that is passed on: version, trace id, span id of this service, flags. */
  readonly traceparent: string;
}

/** The syntax of version 00. Newer versions start in the same way and may be longer. @see W3C Trace Context, 3.2.2 */
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/**
 * Returns the active span of an OpenTelemetry SDK if there is one. Otherwise starts a new span in the trace of the
 * header, or returns undefined without a valid header (LOG-03).
 *
 * @param header the received `traceparent` header
 */
export function traceContextOf(header: unknown): TraceContext | undefined {
  const active = trace.getActiveSpan()?.spanContext();
  if (active !== undefined && isSpanContextValid(active)) {
    return toContext(active.traceId, active.spanId, active.traceFlags.toString(16).padStart(2, '0'));
  }
  if (typeof header !== 'string') return undefined;
  const [, version, traceId = '', parentId = '', flags = '', more] = TRACEPARENT.exec(header) ?? [];
  if (version === undefined || (version === '00' && more !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(parentId)) return undefined;
  // Version 00 defines only the `sampled` flag.
  return toContext(traceId, randomBytes(8).toString('hex'), parseInt(flags, 16) & 1 ? '01' : '00');
}

function toContext(traceId: string, spanId: string, flags: string): TraceContext {
  return { traceId, traceparent: `00-${traceId}-${spanId}-${flags}` };
}
