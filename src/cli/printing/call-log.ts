import type { CallObserver } from '../../gateways/redcap/observe.js';
import { counted } from './table.js';

/**
 * Writes one line per call to REDCap: the operation, its outcome, the number of rows if the response has one, and the
 * duration including waits and retries. Values and parameters are never written.
 *
 * @param stream the output; on a terminal, a progress line is cleared first
 * @param now returns milliseconds since any point in time
 */
export function callLog(
  stream: { readonly isTTY?: boolean; write(text: string): unknown },
  now: () => number = () => performance.now(),
): CallObserver {
  const print = (line: string): void =>
    void stream.write(`${stream.isTTY ? '\r\u001b[K' : ''}REDCap ${line}\n`);
  return {
    began: (content, _kind, action) => {
      const start = now();
      return (outcome, rows) => {
        const found = rows === undefined ? '' : `, ${counted(rows, 'row')}`;
        print(`${nameOf(content, action)}: ${outcome}${found}, ${((now() - start) / 1000).toFixed(2)} s`);
      };
    },
    sent: (content, isRetry, action) => {
      if (isRetry) print(`${nameOf(content, action)}: trying again`);
      return () => undefined;
    },
    circuitChanged: (isOpen) =>
      print(isOpen ? 'is not asked for a while, after several failures' : 'is asked again'),
  };
}

/** Returns `record/export`, or only the content for an operation without an action. */
function nameOf(content: string, action: string | undefined): string {
  return action === undefined ? content : `${content}/${action}`;
}
