import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Writes 100 MB of log that nothing reads, and reports by how much memory grew. */
const SCRIPT = `
  const { createLogger } = await import('./src/server/logging/logger.ts');
  const logger = await createLogger({ level: 'info' });
  const before = process.memoryUsage().rss;
  for (let line = 0; line < 100_000; line += 1) {
    logger.info({ text: 'x'.repeat(1_000) });
    if (line % 1_000 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  process.stderr.write('bytes=' + (process.memoryUsage().rss - before) + ';');
`;

/** Writes lines until one is rejected, and a few more. */
const WRITER = `
  const { stdoutWriter } = await import('./src/server/logging/logger.ts');
  const write = stdoutWriter();
  while (await write('line\\n').then(() => true, () => false)) await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
  process.stderr.write('rejected;');
`;

describe('A log that nothing reads', () => {
  it('neither blocks the process nor fills its memory', async () => {
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', SCRIPT], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for await (const chunk of child.stderr) {
      said += String(chunk);
      if (said.includes(';')) break;
    }
    child.kill('SIGKILL');

    expect(Number(/bytes=(\d+);/.exec(said)?.[1]) / 2 ** 20).to.be.below(90);
  });

  it('rejects audit log lines once standard output is closed, without ending the process', async () => {
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', WRITER], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const exited = once(child, 'exit');
    let said = '';
    child.stdout.once('data', () => child.stdout.destroy());
    for await (const chunk of child.stderr) said += String(chunk);

    expect(said).to.equal('rejected;');
    expect(await exited).to.deep.equal([0, null]);
  });
});
