/** Settings with which a machine that is busy with other things does not make the service refuse a request. */
export const NO_LOAD_SHEDDING = { MAX_EVENT_LOOP_DELAY_MS: '0' } as const;
