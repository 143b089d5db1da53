import fc from 'fast-check';

/**
 * The seed of every property test. In CI it is always the same, so that a red run is red again; elsewhere each run tries
 * other values. `CRF_TEST_SEED` repeats a run.
 */
export const PROPERTY_SEED = Number(
  process.env.CRF_TEST_SEED ?? (process.env.CI === undefined ? Date.now() % 1_000_000 : 20_261_122),
);

fc.configureGlobal({ seed: PROPERTY_SEED });

export const mochaHooks = {
  beforeAll() {
    process.stdout.write(`  Seed of the property tests: CRF_TEST_SEED=${PROPERTY_SEED}\n`);
  },
};
