import type { Logger } from 'pino';

/** The uncaught faults since the watch began. */
export interface FaultWatch {
  /** Resolves at the first fault. */
  readonly first: Promise<void>;
  readonly hasOccurred: boolean;
}

/**
 * Watches for uncaught faults, which leave the process in an unknown state (OPS-06). Each fault is logged, but none
 * ends the process: the caller decides what may still finish.
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
