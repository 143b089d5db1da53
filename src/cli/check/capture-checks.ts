import { ConfigurationError } from '../../domain/errors/operator-errors.js';
import type { CrfClient } from '../../gateways/redcap/crf-client.js';
import { loadProjectStructure } from '../../records/load-project-structure.js';
import type { Settings } from '../../server/config/settings.js';
import { checkAuditFiles } from '../../server/open-audit.js';
import { loadServedPolicy } from '../../server/open-projects.js';
import { openStudy } from '../../server/open-study.js';
import { shortIdWarning } from '../../services/short-id-warning.js';
import { notInProject } from '../../services/summary/study-options.js';
import type { Io } from '../io.js';
import { openClient, type OpenedClient, type ProjectChoice } from '../open-client.js';
import { type Check, type CheckReport, configurationFailed, reach, runChecks } from './check-runner.js';
import { policyFindings } from './policy-findings.js';

/** Checks the connection to REDCap, from the configuration to reading a record. */
export async function captureReport(choice: ProjectChoice, io: Io): Promise<CheckReport> {
  let opened: OpenedClient;
  try {
    opened = await openClient(choice, io);
  } catch (error) {
    return configurationFailed(
      error,
      'correct the settings named above; docs/reference/configuration.md lists all settings',
    );
  }
  try {
    return await checkCapture(opened, io);
  } finally {
    await opened.close();
  }
}

async function checkCapture(opened: OpenedClient, { env }: Io): Promise<CheckReport> {
  const { client, settings, isSandbox } = opened;
  const url = settings.capture?.url;
  const { auditLog: audit, policyFile } = settings;
  const target = isSandbox || url === undefined ? 'sandbox' : new URL(url).origin;
  const network: Check[] =
    url === undefined
      ? []
      : [
          {
            name: 'network',
            run: () => reach(new URL(url), settings.client.timeouts.connectMs),
            advice: 'check the host and the port of CAPTURE_API_URL, and any firewall in between',
          },
        ];
  return runChecks(target, [
    {
      name: 'configuration',
      run: () =>
        Promise.resolve(
          [isSandbox ? 'none: using the sandbox' : 'complete', ...settings.warnings].join('. '),
        ),
      advice: '',
    },
    ...(audit.kind === 'file' ? [auditCheck(audit.path, settings.projectName)] : []),
    ...network,
    ...projectChecks(client, settings.project.imports.recordIdMinLength),
    ...(policyFile === undefined ? [] : [policyCheck(opened, policyFile, env)]),
    ...(settings.studyFile === undefined ? [] : [studyCheck(client, settings)]),
  ]);
}

function projectChecks(client: CrfClient, recordIdMinLength: number): Check[] {
  return [
    {
      name: 'version',
      run: async () => `REDCap ${await client.getVersion()}`,
      advice:
        'check that CAPTURE_API_URL is the address of the API (it ends in /api/) and that the token is right',
    },
    {
      name: 'project',
      run: async () => {
        const { id, isLongitudinal } = await client.project.getInfo();
        return `project ${id}, ${isLongitudinal ? 'longitudinal' : 'classic'}`;
      },
      advice: 'check that the token belongs to a project, and that its user may export',
    },
    {
      name: 'metadata',
      run: async () => `${(await client.fields.list()).length} fields`,
      advice: 'check that the user of the token may see the data dictionary',
    },
    {
      name: 'records',
      run: async () => (await readRecordIds(client, recordIdMinLength)) ?? 'the project has no record yet',
      advice: 'check that the user of the token has the right to export records',
    },
  ];
}

/** Checks that a service could use the policy file and its lock, and that every policy fits the project. */
function policyCheck(opened: OpenedClient, path: string, env: Io['env']): Check {
  return {
    name: 'policy',
    run: async () => {
      const files = await loadServedPolicy(path, opened.settings.recordKey);
      const { compiled, problems, notes } = await policyFindings(opened, files, env);
      if (problems.length > 0)
        throw new ConfigurationError(problems.map((message) => ({ field: 'POLICY_FILE', message })));
      return [
        `${compiled.length === 1 ? 'the policy fits' : `${compiled.length} policies fit`} the project`,
        ...notes,
      ].join('. ');
    },
    advice: 'correct the policy file, or run crf policy accept; crf policy check says more',
  };
}

/** Checks that the audit log of the service, and that of the project, could be continued, without writing into them. */
function auditCheck(path: string, ofProject: string | undefined): Check {
  return {
    name: 'audit log',
    run: () => checkAuditFiles(path, ofProject),
    advice:
      'let the user of the service write into the folder of AUDIT_LOG, which has to exist, and keep other lines out of the file',
  };
}

function studyCheck(client: CrfClient, settings: Settings): Check {
  return {
    name: 'study',
    run: async () => {
      const unknown = notInProject(await loadProjectStructure(client), await openStudy(settings));
      if (unknown.length === 0) return 'the project has what the plan names';
      const message = `names what the project does not have: ${unknown.join(', ')}`;
      throw new ConfigurationError([{ field: 'STUDY_FILE', message }]);
    },
    advice: 'correct the names in the file of the study; docs/dashboard.md shows what it may hold',
  };
}

async function readRecordIds(client: CrfClient, minLength: number): Promise<string | undefined> {
  const warning = await shortIdWarning(client, minLength);
  const [idField] = await client.fields.list();
  if (idField === undefined) return undefined;
  for await (const _row of client.streamRecords({ fields: [idField.name] }))
    return ['one record was read', ...(warning === undefined ? [] : [warning])].join('. ');
  return undefined;
}
