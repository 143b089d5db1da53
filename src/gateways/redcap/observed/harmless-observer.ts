import { ignoringErrors } from '../../../errors/ignoring-errors.js';
import type { CallObserver } from './call-observer.js';

/** Wraps an observer so that an error of its own neither fails a call nor ends the process. */
export function harmlessObserver(observer: CallObserver): CallObserver {
  return {
    began: (...call) => {
      const ended = ignoringErrors(() => observer.began(...call));
      return (...end) => ignoringErrors(() => ended?.(...end));
    },
    sent: (...request) => {
      const answered = ignoringErrors(() => observer.sent(...request));
      return (...answer) => ignoringErrors(() => answered?.(...answer));
    },
    circuitChanged: (isOpen) => ignoringErrors(() => observer.circuitChanged(isOpen)),
  };
}
