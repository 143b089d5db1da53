import { randomBytes } from 'node:crypto';
import { isSpanContextValid, trace } from '@opentelemetry/api';

/** Where a request stands in a trace. */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** What is sent on: version, trace, the span of this service, flags. */
  readonly traceparent: string;
}

/** Version 00 alone is known; a newer one begins in the same way, and may go on. @see W3C Trace Context, 3.2.2 */
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/**
 * @param header `traceparent` as it came
 * @returns the active span of an OpenTelemetry SDK where there is one, else a new span in the trace that the header names;
 *   nothing when there is neither (LOG-03)
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
  // Of the flags only `sampled` is known in version 00.
  return toContext(traceId, randomBytes(8).toString('hex'), parseInt(flags, 16) & 1 ? '01' : '00');
}

function toContext(traceId: string, spanId: string, flags: string): TraceContext {
  return { traceId, traceparent: `00-${traceId}-${spanId}-${flags}` };
}
