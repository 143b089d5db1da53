import { expect } from 'chai';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSettings } from '../../../src/server/config/settings.js';
import { startServer, type RunningServer } from '../../../src/server/start-server.js';
import { startFaultServer, type FaultServer } from '../../support/fault-server.js';
import { forward } from '../../support/forward.js';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { keyWith } from '../../support/start-service.js';
import { NO_LOAD_SHEDDING } from '../../support/no-load-shedding.js';

const [OURS, RENEWED, OTHERS, UNKNOWN, UNCHECKED] = ['A', 'B', 'C', 'D', 'E'].map((digit) =>
  digit.repeat(32),
) as [string, string, string, string, string];

for (const isOne of [true, false])
  describe(`The token in the file of ${isOne ? 'the project' : 'one of several projects'}`, function () {
    this.timeout(30_000);
    const key = keyWith('project:read');
    let folder: string;
    let sandbox: Awaited<ReturnType<typeof startTestSandbox>>;
    let redcap: FaultServer;
    let server: RunningServer;
    let used: string | null;
    const lines: string[] = [];

    before(async () => {
      sandbox = await startTestSandbox();
      redcap = await startFaultServer(async (request) => {
        const token = request.form.get('token') ?? '';
        if (token === UNKNOWN)
          return { kind: 'answer', status: 403, body: '{"error":"You do not have API rights"}' };
        if (token === UNCHECKED) return { kind: 'reset' };
        if (request.form.get('content') === 'version') used = token;
        const answer = await forward(sandbox.url, {
          ...request,
          body: request.body.replace(token, sandbox.token),
        });
        const body = String(answer.body).replace(
          /"project_id":"?(\d+)"?/,
          `"project_id":${token === OTHERS ? 77 : 12}`,
        );
        return { ...answer, body };
      });
      folder = await mkdtemp(join(tmpdir(), 'crf-tokens-'));
      await writeFile(join(folder, 'token'), OURS);
      await writeFile(join(folder, 'study.yaml'), 'version: 1\n');
      await writeFile(
        join(folder, 'projects.yaml'),
        `version: 1
default: trial
projects: { trial: { url: "${redcap.url}", tokenFile: token, study: study.yaml } }
keys: [{ name: all, sha256: ${key.apiKey.sha256}, projects: [trial], scopes: [project:read] }]
`,
      );
      const environment: Record<string, string> = isOne
        ? {
            CAPTURE_API_URL: redcap.url,
            CAPTURE_API_TOKEN_FILE: join(folder, 'token'),
            STUDY_FILE: join(folder, 'study.yaml'),
            API_KEYS: `all:${key.apiKey.sha256}:project:read`,
          }
        : { PROJECTS_FILE: join(folder, 'projects.yaml') };
      const all = { ...environment, CAPTURE_CACHE_SECONDS: '0', CAPTURE_RETRIES: '0' };
      const load = () => loadSettings({ PORT: '0', LOG_LEVEL: 'silent', ...NO_LOAD_SHEDDING, ...all });
      server = await startServer(load(), load);
      const { logger } = server;
      for (const level of ['info', 'error', 'warn'] as const)
        logger[level] = (...said: unknown[]) => void lines.push(JSON.stringify(said));
    });
    beforeEach(() => lines.splice(0));
    after(async () => {
      await server.stop();
      await redcap.close();
      await sandbox.close();
      await rm(folder, { recursive: true });
    });

    async function tokenInUse(): Promise<string | null> {
      used = null;
      await fetch(`${server.url}/api/v1/project/version`, { headers: { authorization: key.authorization } });
      return used;
    }

    it('OPS-08: is used when it is of the same project', async () => {
      expect(await tokenInUse()).to.equal(OURS);
      await writeFile(join(folder, 'token'), RENEWED);
      await server.rereadSecrets?.();

      expect(await tokenInUse()).to.equal(RENEWED);
    });

    for (const [what, token] of [
      ['is of another project', OTHERS],
      ['is refused by REDCap', UNKNOWN],
      ['cannot be checked', UNCHECKED],
      ['is no token', 'nonsense'],
    ] as const)
      it(`OPS-08: is not used when it ${what}, neither by itself nor on SIGHUP, which takes nothing else then`, async () => {
        await writeFile(join(folder, 'token'), token);
        await server.rereadSecrets?.();
        expect(await tokenInUse()).to.equal(RENEWED);
        lines.splice(0);

        await server.reread?.();

        expect(await tokenInUse()).to.equal(RENEWED);
        expect(lines.filter((line) => line.includes('cannot be used'))).to.have.length(1);
        expect(lines.join()).to.not.include('in use').and.to.not.include(token);
      });

    it('OPS-08: is not used on SIGHUP while another file is broken, which is said once', async () => {
      await writeFile(join(folder, 'token'), OURS);
      await writeFile(join(folder, 'study.yaml'), 'version: 9\n');
      await server.reread?.();
      const isKept = await tokenInUse();
      const said = [...lines];
      await writeFile(join(folder, 'study.yaml'), 'version: 1\n');
      await server.reread?.();

      expect([isKept, await tokenInUse()]).to.deep.equal([RENEWED, OURS]);
      expect(said).to.have.length(1);
      expect(said[0]).to.include('cannot be used');
      expect(lines.at(-1)).to.match(/read again and (?:is|are) in use/);
    });
  });
