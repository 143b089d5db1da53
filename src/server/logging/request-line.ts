/** Properties that are already in the line of a request, or not useful to people. */
export const IN_THE_MESSAGE = [
  'requestId',
  'traceId',
  'method',
  'route',
  'status',
  'durationMs',
  'bytes',
  'caller',
  'aborted',
];

/**
 * @returns a request as one line: `GET /api/v1/records 200 12.3 ms 4096 bytes key:portal`; undefined for other lines
 */
export function requestLine(line: Readonly<Record<string, unknown>>): string | undefined {
  if (line.msg !== 'request') return undefined;
  const { method, route, status = '-', durationMs, bytes, caller = '', aborted } = line;
  const end = aborted === true ? ' aborted' : '';
  return (
    `${String(method)} ${String(route)} ${String(status)} ${String(durationMs)} ms ${String(bytes)} bytes ${String(caller)}`.trimEnd() +
    end
  );
}
