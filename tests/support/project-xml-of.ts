import { Caller } from '../../src/sandbox/redcap/caller.js';
import { answerCall } from '../../src/sandbox/redcap/content-table.js';
import type { SandboxProject } from '../../src/sandbox/redcap/project.js';
import { ServerVersion } from '../../src/wire/server-version.js';
import { DEMO_USERS } from '../../src/sandbox/demo-study/demo-study.js';
import { Parameters } from '../../src/wire/parameters.js';

/** Exports the complete project XML of a project as its data manager. */
export async function projectXmlOf(project: SandboxProject): Promise<string> {
  const [manager] = DEMO_USERS;
  if (manager === undefined) throw new Error('There is no data manager.');
  const answer = await answerCall({
    project,
    parameters: new Parameters(
      Object.entries({
        content: 'project_xml',
        exportFiles: 'true',
        exportSurveyFields: 'true',
        exportDataAccessGroups: 'true',
      }),
    ),
    caller: new Caller(project, manager),
    version: new ServerVersion('16.1.9'),
    format: 'xml',
    returnFormat: 'xml',
  });
  if (answer.kind !== 'written') throw new Error('A project XML is written already.');
  return answer.body;
}
