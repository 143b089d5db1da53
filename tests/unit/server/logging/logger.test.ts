import { expect } from 'chai';
import { Writable } from 'node:stream';
import { createLogger, requestLine, type LoggerOptions } from '../../../../src/server/logging/logger.js';

/** Returns what a logger writes while `act` uses it. */
async function logged(
  level: LoggerOptions['level'],
  act: (logger: Awaited<ReturnType<typeof createLogger>>) => void,
): Promise<string[]> {
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  act(await createLogger({ level, destination }));
  return lines;
}

describe('createLogger', () => {
  it('writes one JSON object per line, with the name of the level and the time in UTC', async () => {
    const [line = ''] = await logged('info', (logger) => logger.info({ status: 200 }, 'request'));

    const entry = JSON.parse(line) as Record<string, unknown>;
    expect(entry).to.include({ level: 'info', status: 200, msg: 'request' });
    expect(entry.time).to.match(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(entry).to.have.all.keys('level', 'time', 'status', 'msg');
  });

  it('LOG-02: escapes control characters, and writes only allow-listed parts of errors', async () => {
    const [line = ''] = await logged('info', (logger) =>
      logger.info({ err: new Error('SENTINEL'), name: 'a\n\u001b[31m' }, 'failed'),
    );

    expect(line.trimEnd())
      .to.not.match(/[\n\u001b]/)
      .and.to.not.include('SENTINEL');
  });

  it('omits entries below its level, and writes nothing when silent', async () => {
    expect(await logged('warn', (logger) => logger.info('no'))).to.deep.equal([]);
    expect(await logged('silent', (logger) => logger.fatal('no'))).to.deep.equal([]);
  });
});

/** What the line of a request has. */
const REQUEST = { msg: 'request', method: 'GET', route: '/health', status: 200, durationMs: 1.2, bytes: 300 };

describe('requestLine', () => {
  it('describes a request in one line', () => {
    expect(requestLine({ ...REQUEST, caller: 'key:portal' })).to.equal(
      'GET /health 200 1.2 ms 300 bytes key:portal',
    );
  });

  it('marks a request as aborted', () => {
    expect(requestLine({ ...REQUEST, aborted: true })).to.equal('GET /health 200 1.2 ms 300 bytes aborted');
  });

  it('ignores other log entries', () => {
    expect(requestLine({ msg: 'listening' })).to.equal(undefined);
  });
});
