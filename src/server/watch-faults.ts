import type { Logger } from 'pino';

/** The faults that nobody caught, from now on. */
export interface FaultWatch {
  /** Resolves at the first one. */
  readonly first: Promise<void>;
  readonly hasOccurred: boolean;
}

/**
 * Watches for what happens outside any request: it leaves the process in a state that nobody knows (OPS-06). Each fault
 * is logged, and none ends the process by itself: whoever watches decides what may still finish.
 */
export function watchFaults(logger: Pick<Logger, 'fatal'>): FaultWatch {
  let hasOccurred = false;
  const first = new Promise<void>((resolve) => {
    const onFault = (error: unknown): void => {
      hasOccurred = true;
      logger.fatal({ err: error }, 'unexpected fault');
      resolve();
    };
    process.on('uncaughtException', onFault);
    process.on('unhandledRejection', onFault);
  });
  return {
    first,
    get hasOccurred() {
      return hasOccurred;
    },
  };
}
