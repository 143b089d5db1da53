import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createApiKey, hashApiKey } from '../../../src/services/access/api-key.js';
import { runServer, type ServerProcess } from '../../support/run-server.js';
import { until } from '../../support/until.js';

const planOf = (target: number | string): string => `version: 1\nrecruitment: { target: ${target} }\n`;

describe('The plan of the study of a running service', () => {
  const key = createApiKey();
  let folder: string;
  let server: ServerProcess;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'study-file-'));
    await writeFile(join(folder, 'study.yaml'), planOf(400));
    server = await runServer({
      STUDY_FILE: join(folder, 'study.yaml'),
      API_KEYS: `stats:${hashApiKey(key)}:project:read`,
    });
  });
  after(async () => {
    server.kill('SIGTERM');
    await server.exited;
    await rm(folder, { recursive: true });
  });

  const target = async (): Promise<number> => {
    const answer = await fetch(`${server.url}/api/v1/project/summary`, {
      headers: { authorization: `Bearer ${key}` },
    });
    return ((await answer.json()) as { data: { recruitment: { target: number } } }).data.recruitment.target;
  };
  /** Writes the file, tells the service, and waits until it has said what it does. */
  async function reread(plan: string): Promise<(typeof server.log)[number]> {
    const before = server.log.length;
    await writeFile(join(folder, 'study.yaml'), plan);
    server.kill('SIGHUP');
    return until(() => server.log.slice(before).find(({ msg }) => msg?.startsWith('the file of the study')));
  }

  it('is read again on SIGHUP, and put to use at once', async () => {
    expect(await target()).to.equal(400);
    expect((await reread(planOf(500))).msg).to.equal('the file of the study was read again and is in use');
    expect(await target()).to.equal(500);
  });

  it('stays as it was where the file has a mistake, whose line the log names', async () => {
    const said = await reread(planOf('many'));

    expect(said.msg).to.equal('the file of the study cannot be used: the previous one is kept');
    expect(JSON.stringify(said)).to.include('"field":"STUDY_FILE","message":"line 2, recruitment.target: ');
    expect(await target()).to.equal(500);
  });
});
