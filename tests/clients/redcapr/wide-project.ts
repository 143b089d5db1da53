import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { loadStudy } from '../../../src/sandbox/demo-study/load-study.js';
import { rightsOf } from '../../../src/sandbox/redcap/rights.js';
import type { Study } from '../../../src/sandbox/redcap/study.js';
import { runProgram } from '../run-program.js';

/**
 * The test project of 35,004 fields, which is too large for the client's folder. A script there writes its dictionary.
 */
export const WIDE_TAG = 'super-wide-3';

/**
 * Runs the client's script that writes the dictionary, and creates the project with the role that its readme requires.
 * The script stops there: its second half, the records, belongs to tests that the client has commented out.
 *
 * @param client the folder of a clone
 * @param directory a folder that the script may write to
 * @returns undefined if the script wrote nothing
 */
export async function makeWideProject(
  client: string,
  directory: string,
  rscript: string,
): Promise<Study | undefined> {
  const folder = path.join('inst/test-data/projects', WIDE_TAG);
  await mkdir(path.join(directory, folder), { recursive: true });
  await runProgram(rscript, [path.join(client, folder, 'generate-project.R')], {
    cwd: directory,
    environment: {},
  });
  const file = path.join(directory, folder, `${WIDE_TAG}-dictionary.csv`);
  const dictionaryCsv = await readFile(file, 'utf8').catch(() => undefined);
  if (dictionaryCsv === undefined) return undefined;
  const { study } = await loadStudy({ dictionaryCsv });
  const rights = rightsOf({ api_export: 1, api_import: 1, data_access_groups: 1 });
  return { ...study, roles: [{ uniqueName: 'U-WIDE000001', label: 'api', rights }] };
}
