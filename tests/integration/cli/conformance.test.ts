import { expect } from 'chai';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { classicStudy } from '../../support/studies.js';
import { runCrf } from '../../support/run-crf.js';

describe('crf conformance', () => {
  it('prints a table of operations, and exits 0 if nothing differs', async () => {
    const { exitCode, stdout } = await runCrf(['conformance', '--sandbox', '--quiet']);

    expect(exitCode).to.equal(0);
    expect(stdout)
      .to.match(/^dags\.list +dag\/export +ok$/m)
      .and.to.match(/^importRecords +record\/import +skipped +it writes$/m)
      .and.to.match(/^REDCap 16\.1\.9: \d+ ok, .*\d+ skipped, 6 not tried\.$/m);
  });

  it('writes to a given project, and prints the report as JSON', async () => {
    const sandbox = await startTestSandbox(classicStudy());
    const run = await runCrf(['conformance', '--allow-writes', '--json'], {
      environment: { CAPTURE_API_URL: sandbox.url, CAPTURE_API_TOKEN: sandbox.token },
    });
    await sandbox.close();

    expect(run.exitCode).to.equal(0);
    const report = JSON.parse(run.stdout) as { hasWritten: boolean; operations: { outcome: string }[] };
    expect(report.hasWritten).to.equal(true);
    expect(report.operations.map(({ outcome }) => outcome)).to.not.include('skipped');
    expect(run.stdout).to.not.include(sandbox.token);
  });

  it('does not write without a project, or to one in production', async () => {
    const sandbox = await startTestSandbox({
      ...classicStudy(),
      project: { ...classicStudy().project, settings: { in_production: 1 } },
    });
    const withoutProject = await runCrf(['conformance', '--allow-writes']);
    const inProduction = await runCrf(['conformance', '--allow-writes'], {
      environment: { CAPTURE_API_URL: sandbox.url, CAPTURE_API_TOKEN: sandbox.token },
    });
    await sandbox.close();

    expect(withoutProject).to.include({ exitCode: 2, stdout: '' });
    expect(inProduction).to.include({ exitCode: 2, stdout: '' });
    expect(inProduction.stderr).to.include('The project is in production');
  });
});
