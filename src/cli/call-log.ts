import type { CallObserver } from '../gateways/redcap/observed/call-observer.js';
import { counted } from './counted.js';

/**
 * Writes a line for each call to REDCap: the operation, its outcome, the rows where the answer says how many, and the
 * time it took with waiting and retries. Never a value or a parameter.
 *
 * @param stream a terminal, or anything else; the line of a progress that is drawn there is wiped first
 * @param now milliseconds from any point
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

/** `record/export`; the content alone for an operation without an action. */
function nameOf(content: string, action: string | undefined): string {
  return action === undefined ? content : `${content}/${action}`;
}
