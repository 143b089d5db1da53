import fc from 'fast-check';

/**
 * The seed of every property test. In CI it is always the same, so that a red run is red again; elsewhere each run tries
 * other values. `CRF_TEST_SEED` repeats a run.
 */
export const PROPERTY_SEED = Number(
  process.env.CRF_TEST_SEED ?? (process.env.CI === undefined ? Date.now() % 1_000_000 : 20_261_122),
);

fc.configureGlobal({ seed: PROPERTY_SEED });

// Mocha loads this file in its main process first; the processes that run the tests inherit the seed.
if (process.env.MOCHA_WORKER_ID === undefined) {
  process.env.CRF_TEST_SEED = String(PROPERTY_SEED);
  process.stdout.write(`  Seed of the property tests: CRF_TEST_SEED=${PROPERTY_SEED}\n`);
}
