import { randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { createCrfClient } from '../../../src/client/create-crf-client.js';
import { ALL_RIGHTS } from '../../../src/sandbox/redcap/rights.js';
import type { StudyUser } from '../../../src/sandbox/redcap/study.js';
import type { ClientProject } from './projects.js';

/** The project that each page empties. The client's readme has such a page installed beside REDCap, for its tests alone. */
const PAGES: ReadonlyMap<string, string> = new Map([
  ['/redcap/plugins/redcapr/wipe-project-redcapr-simple.php', 'simple-write'],
  ['/redcap/plugins/redcapr/wipe-project-redcapr-arm-delete-single.php', 'arm-single-delete'],
  ['/redcap/plugins/redcapr/wipe-project-redcapr-arm-delete-multiple.php', 'arm-multiple-delete'],
  ['/redcap/plugins/redcapr/wipe-project-redcapr-dag-write.php', 'dag-write'],
]);

/** Pages that empty a project of the sandbox: part of the client's test environment, and no part of REDCap. */
export class WipePages {
  readonly #tokens = new Map<string, string>();

  /** Gives a project that a page empties a user who may do so. */
  prepare(project: ClientProject): ClientProject {
    if (![...PAGES.values()].includes(project.tag)) return project;
    const token = randomBytes(16).toString('hex').toUpperCase();
    this.#tokens.set(project.tag, token);
    const users = [...project.study.users, { ...JANITOR, token }];
    return { ...project, study: { ...project.study, users } };
  }

  /** @param url the sandbox's address */
  listener(url: string): RequestListener {
    return (request, response) => {
      const token = this.#tokens.get(PAGES.get(request.url ?? '') ?? '');
      if (token === undefined) {
        response.writeHead(404).end();
        return;
      }
      void wipe(url, token).then(
        () => response.writeHead(200, { 'content-type': 'text/html' }).end('<h3>Deleted</h3>'),
        () => response.writeHead(500).end(),
      );
    };
  }
}

async function wipe(url: string, token: string): Promise<void> {
  const client = createCrfClient({ url, token });
  try {
    const [idField] = await client.getMetadata();
    if (idField === undefined) return;
    const rows = await client.exportRecords({ fields: [idField.name] });
    const ids = [...new Set(rows.map((row) => String(row[idField.name])))];
    if (ids.length > 0) await client.records.delete(ids);
  } finally {
    client.close();
  }
}

const JANITOR: StudyUser = {
  username: 'janitor',
  email: '',
  firstName: '',
  lastName: '',
  token: '',
  expiration: '',
  group: '',
  role: '',
  rights: ALL_RIGHTS,
};
