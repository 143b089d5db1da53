import fc from 'fast-check';

/**
 * The seed of all property tests. In CI it is fixed, so that failures are reproducible. Elsewhere each run uses a new
 * one. `CRF_TEST_SEED` repeats a run.
 */
export const PROPERTY_SEED = Number(
  process.env.CRF_TEST_SEED ?? (process.env.CI === undefined ? Date.now() % 1_000_000 : 20_261_122),
);

fc.configureGlobal({ seed: PROPERTY_SEED });

// Mocha loads this file in its main process first; its worker processes inherit the seed.
if (process.env.MOCHA_WORKER_ID === undefined) {
  process.env.CRF_TEST_SEED = String(PROPERTY_SEED);
  process.stdout.write(`  Seed of the property tests: CRF_TEST_SEED=${PROPERTY_SEED}\n`);
}
