import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createDemoStudy } from '../../../src/sandbox/demo-study/demo-study.js';
import { startRedcapSandbox } from '../../../src/sandbox/redcap/redcap-sandbox.js';
import type { ClientReport } from '../outcome.js';
import { readResults } from '../read-results.js';
import { runProgram, throughProxy } from '../run-program.js';
import { makeCertificate } from '../stage/certificate.js';
import { startDoor } from '../stage/door.js';
import { passOn } from '../stage/pass-on.js';
import { startRedirectingProxy } from '../stage/redirecting-proxy.js';
import { PYCAP_EXCEPTIONS } from './exceptions.js';

/** The server on which PyCap's suite creates its projects. */
const HOST = 'redcapdemo.vumc.org';

/**
 * Runs PyCap's integration suite and the examples of its documentation. Both create their own projects with a super
 * token and the project files of the client.
 *
 * @param client the folder of a clone
 * @param directory an empty folder for the results
 * @param isThroughDoor whether the service stands in front of the sandbox
 */
export async function runPycap(
  client: string,
  directory: string,
  python: string,
  isThroughDoor: boolean,
): Promise<ClientReport> {
  const superToken = randomBytes(32).toString('hex').toUpperCase();
  const sandbox = await startRedcapSandbox({
    study: createDemoStudy({ participants: 1 }),
    superToken,
    publicUrl: `https://${HOST}/`,
  });
  const door = isThroughDoor ? await startDoor(sandbox.url) : undefined;
  const certificate = await makeCertificate([HOST], directory);
  const proxy = await startRedirectingProxy({ [HOST]: passOn('', door?.url ?? sandbox.url) }, certificate);
  const results = path.join(directory, 'pycap.json');
  try {
    await runProgram(
      python,
      [
        '-m',
        'pytest',
        '-p',
        'crf_results',
        '-p',
        'no:cacheprovider',
        '-q',
        '-o',
        'addopts=',
        '--doctest-plus',
        '--doctest-modules',
        '--tb=short',
        'tests/integration',
        'redcap',
        path.join(import.meta.dirname, 'test_other_methods.py'),
      ],
      {
        cwd: client,
        environment: {
          ...throughProxy(proxy, certificate.file),
          REDCAPDEMO_SUPERUSER_TOKEN: superToken,
          PYTHONPATH: `${import.meta.dirname}${path.delimiter}${client}`,
          PYTHONDONTWRITEBYTECODE: '1',
          CRF_RESULTS: results,
        },
      },
    );
  } finally {
    await proxy.close();
    await door?.close();
    await sandbox.close();
  }
  return {
    client: isThroughDoor ? 'PyCap, through the service' : 'PyCap',
    version: await versionOf(client),
    ...(await readResults(results)),
    exceptions: PYCAP_EXCEPTIONS,
  };
}

async function versionOf(client: string): Promise<string> {
  const project = await readFile(path.join(client, 'pyproject.toml'), 'utf8');
  return /^version = "(.+)"$/m.exec(project)?.[1] ?? 'of unknown version';
}
