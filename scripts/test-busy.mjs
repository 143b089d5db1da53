// Repeats the tests while every core is kept busy, and stops after the first failed run. Usage: npm run test:busy [--
// RUNS [FILE …]]; by default, ten runs of all tests. Each run has another seed for the property tests, also in CI, where
// a single run has always the same; CRF_TEST_SEED gives all runs one seed.
import { spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';

const [runs = '10', ...files] = process.argv.slice(2);
const BURN = 'for (;;);';

const burners = Array.from({ length: availableParallelism() }, () =>
  spawn(process.execPath, ['--eval', BURN], { stdio: 'ignore' }),
);
const stopBurning = () => burners.forEach((burner) => burner.kill('SIGKILL'));
process.once('exit', stopBurning);
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

for (let run = 1; run <= Number(runs); run += 1) {
  const seed = process.env.CRF_TEST_SEED ?? String(randomInt(1_000_000_000));
  process.stdout.write(`Run ${run} of ${runs}, CRF_TEST_SEED=${seed}, ${burners.length} cores kept busy\n`);
  const specs = files.length > 0 ? files : ['tests/**/*.test.ts'];
  const { status } = spawnSync('npx', ['mocha', '--parallel', '--jobs', '2', '--reporter', 'dot', ...specs], {
    stdio: 'inherit',
    env: { ...process.env, CRF_TEST_SEED: seed },
  });
  if (status !== 0) {
    process.stdout.write(`Run ${run} failed; CRF_TEST_SEED=${seed} repeats its property tests.\n`);
    process.exit(1);
  }
}
process.stdout.write(`All ${runs} runs passed.\n`);
stopBurning(); // they would keep this process alive
