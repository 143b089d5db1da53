import { expect } from 'chai';
import { createApp } from '../../../src/app/app.js';
import { UpstreamRefusedError } from '../../../src/domain/errors/upstream-errors.js';
import { loadSettings } from '../../../src/server/config/settings.js';
import {
  reportAtStart,
  reportProjects,
  startupChecks,
  type StartupCheck,
} from '../../../src/server/startup-report.js';
import { startSandboxClient } from '../../support/sandbox-client.js';
import { classicStudy } from '../../support/studies.js';

/** A logger that records its lines. */
function recordingLog() {
  const lines: { level: 'info' | 'warn'; text: string }[] = [];
  const write = (level: 'info' | 'warn') => (first: unknown, second?: unknown) => {
    const { project } = Object(first) as { project?: string };
    lines.push({ level, text: `${project === undefined ? '' : `${project}: `}${String(second ?? first)}` });
  };
  return {
    lines,
    logger: { info: write('info'), warn: write('warn') } as Parameters<typeof reportAtStart>[1],
  };
}

const check = (name: StartupCheck['name'], run: StartupCheck['run']): StartupCheck => ({ name, run });
const never = new AbortController().signal;

describe('reportAtStart', () => {
  it('reports in one line what answered, and with what', async () => {
    const { lines, logger } = recordingLog();

    await reportAtStart(
      [check('REDCap', async () => 'version 16.1.9'), check('Appwrite', async () => 'all well')],
      logger,
      never,
    );

    expect(lines).to.deep.equal([
      { level: 'info', text: 'REDCap answers: version 16.1.9. Appwrite answers: all well.' },
    ]);
  });

  it('warns of failures without the text of unexpected errors', async () => {
    const { lines, logger } = recordingLog();
    const refusal = new UpstreamRefusedError(undefined, { cause: new Error('SENTINEL') });

    await reportAtStart(
      [
        check('REDCap', () => Promise.reject(refusal)),
        check('Appwrite', () => Promise.reject(new Error('SENTINEL'))),
      ],
      logger,
      never,
    );

    expect(lines).to.deep.equal([
      { level: 'warn', text: `REDCap cannot be used: ${refusal.message} Appwrite could not be asked.` },
    ]);
  });

  it('is silent if nothing is configured, and once the service stops', async () => {
    const { lines, logger } = recordingLog();
    const stopping = new AbortController();

    await reportAtStart([], logger, never);
    const report = reportAtStart(
      [check('REDCap', () => new Promise(() => undefined))],
      logger,
      stopping.signal,
    );
    stopping.abort();
    await report;

    expect(lines).to.deep.equal([]);
  });
});

describe('reportProjects', () => {
  it('IN-11: warns of each project by its name, and tells how many answer', async () => {
    const { lines, logger } = recordingLog();
    const classic = classicStudy();
    const settings = { record_autonumbering_enabled: 0 };
    const sandboxes = [
      await startSandboxClient(classic),
      await startSandboxClient({ ...classic, project: { ...classic.project, settings } }),
      await startSandboxClient(classic),
    ];
    const [gone, unnumbered, numbered] = sandboxes.map(({ client }) => client);
    if (!gone || !unnumbered || !numbered) throw new Error('Three sandboxes were started.');
    await sandboxes[0]?.close();
    const options = { gone, unnumbered, numbered };
    const projects = Object.fromEntries(
      Object.entries(options).map(([name, capture]) => [
        name,
        { capture, imports: { recordIdMinLength: 40 } },
      ]),
    );

    await reportProjects(
      createApp({ projects }),
      new Map(Object.entries(projects).map(([name, each]) => [name, { options: each, policy: undefined }])),
      logger,
      never,
    );
    await Promise.all(sandboxes.slice(1).map((sandbox) => sandbox.close()));

    expect(lines.map(({ level, text }) => [level, text.slice(0, 27)])).to.deep.equal([
      ['warn', 'gone: a project cannot be u'],
      ['info', '2 of 3 projects answer.'],
      ['warn', 'unnumbered: Records have id'],
    ]);
  });
});

describe('The check of REDCap at the start', () => {
  for (const [record_autonumbering_enabled, isTold] of [
    [0, true],
    [1, false],
  ] as const) {
    it(`IN-11: ${isTold ? 'warns of short ids that are invented' : 'accepts short ids that REDCap numbers'}`, async () => {
      const classic = classicStudy();
      const project = { ...classic.project, settings: { record_autonumbering_enabled } };
      const started = await startSandboxClient({ ...classic, project });
      const settings = loadSettings({
        CAPTURE_API_URL: started.sandbox.url,
        CAPTURE_API_TOKEN: 'A'.repeat(32),
      });

      const [redcap] = startupChecks(settings, { options: { capture: started.client } }, undefined);
      const answer = await redcap?.run(new AbortController().signal);
      await started.close();

      expect(answer).to.match(/^version /);
      expect(answer?.includes('RECORD_ID_MIN_LENGTH')).to.equal(isTold);
    });
  }
});
