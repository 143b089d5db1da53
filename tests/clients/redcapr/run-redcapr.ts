import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { startRedcapSandbox } from '../../../src/sandbox/redcap/redcap-sandbox.js';
import type { ClientReport } from '../outcome.js';
import { readResults } from '../read-results.js';
import { runProgram, throughProxy } from '../run-program.js';
import { makeCertificate } from '../stage/certificate.js';
import { startDoor } from '../stage/door.js';
import { passOn } from '../stage/pass-on.js';
import { startRedirectingProxy } from '../stage/redirecting-proxy.js';
import { REDCAPR_EXCEPTIONS } from './exceptions.js';
import { fillRepository, REPOSITORY_TAG } from './fill-repository.js';
import { withJanitor } from './janitor.js';
import { readProjects } from './projects.js';
import { makeWideProject } from './wide-project.js';
import { WipePages } from './wipe-pages.js';

/** The default server of REDCapR's suite. */
const HOST = 'redcap-dev-2.ouhsc.edu';

/**
 * Runs REDCapR's tests on its own test projects, with the tokens of its own list.
 *
 * @param client the folder of a clone
 * @param directory an empty folder for the results
 * @param isThroughDoor whether the service stands in front of the sandbox
 * @param only a pattern for the names of test files; empty for all
 */
export async function runRedcapr(
  client: string,
  directory: string,
  rscript: string,
  isThroughDoor: boolean,
  only = '',
): Promise<ClientReport> {
  const pages = new WipePages();
  const read = await readProjects(client, await makeWideProject(client, directory, rscript));
  const repository = read.filter(({ tag }) => tag === REPOSITORY_TAG).map(withJanitor);
  const [first, ...others] = [
    ...read.filter(({ tag }) => tag !== REPOSITORY_TAG).map((project) => pages.prepare(project)),
    ...repository.map(({ project }) => project),
  ];
  if (first === undefined) throw new Error(`${client} has no test projects.`);
  const sandbox = await startRedcapSandbox({
    study: first.study,
    otherStudies: others.map(({ study }) => study),
    publicUrl: `https://${HOST}/redcap/`,
  });
  for (const { token } of repository) await fillRepository(sandbox.url, token, client);
  const door = isThroughDoor ? await startDoor(sandbox.url) : undefined;
  const certificate = await makeCertificate([HOST], directory);
  const proxy = await startRedirectingProxy(
    { [HOST]: passOn('/redcap', door?.url ?? sandbox.url, pages.listener(sandbox.url)) },
    certificate,
  );
  const results = path.join(directory, 'redcapr.json');
  try {
    await runProgram(rscript, [path.join(import.meta.dirname, 'run-suite.R'), client, only], {
      cwd: client,
      environment: {
        ...throughProxy(proxy, certificate.file),
        // An unknown host name: the tests expect the error of the resolver.
        no_proxy: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.com',
        NOT_CRAN: 'true',
        redcapr_test_server: 'dev-2',
        CRF_RESULTS: results,
      },
    });
  } finally {
    await proxy.close();
    await door?.close();
    await sandbox.close();
  }
  return {
    client: isThroughDoor ? 'REDCapR, through the service' : 'REDCapR',
    version: await versionOf(client),
    ...(await readResults(results)),
    exceptions: REDCAPR_EXCEPTIONS,
  };
}

async function versionOf(client: string): Promise<string> {
  const description = await readFile(path.join(client, 'DESCRIPTION'), 'utf8');
  return /^Version: (.+)$/m.exec(description)?.[1] ?? 'of unknown version';
}
