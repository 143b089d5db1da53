import { expect } from 'chai';
import { Writable } from 'node:stream';
import { createLogger, type LoggerOptions } from '../../../src/logging/create-logger.js';

/** What a logger writes while something is done with it. */
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
  it('writes one JSON object a line, with the level by name and the time in UTC', async () => {
    const [line = ''] = await logged('info', (logger) => logger.info({ status: 200 }, 'request'));

    const entry = JSON.parse(line) as Record<string, unknown>;
    expect(entry).to.include({ level: 'info', status: 200, msg: 'request' });
    expect(entry.time).to.match(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(entry).to.have.all.keys('level', 'time', 'status', 'msg');
  });

  it('LOG-02: writes control characters in escaped form, and errors by the allow-list', async () => {
    const [line = ''] = await logged('info', (logger) =>
      logger.info({ err: new Error('SENTINEL'), name: 'a\n\u001b[31m' }, 'failed'),
    );

    expect(line.trimEnd())
      .to.not.match(/[\n\u001b]/)
      .and.to.not.include('SENTINEL');
  });

  it('leaves out what lies below its level, and everything when it is silent', async () => {
    expect(await logged('warn', (logger) => logger.info('no'))).to.deep.equal([]);
    expect(await logged('silent', (logger) => logger.fatal('no'))).to.deep.equal([]);
  });
});
