/** Settings that keep the service from refusing requests on a busy machine. */
export const NO_LOAD_SHEDDING = { MAX_EVENT_LOOP_DELAY_MS: '0' } as const;
