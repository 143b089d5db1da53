import { expect } from 'chai';
import { UpstreamRefusedError } from '../../../src/errors/upstream-errors.js';
import { reportAtStart, type StartupCheck } from '../../../src/server/startup-report.js';

/** A logger that records its lines. */
function recordingLog() {
  const lines: { level: 'info' | 'warn'; text: string }[] = [];
  const write = (level: 'info' | 'warn') => (first: unknown, second?: unknown) =>
    void lines.push({ level, text: String(second ?? first) });
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
