import type { RequestListener, ServerResponse } from 'node:http';
import { createCrfClient } from '../../../src/client/create-crf-client.js';
import { withJanitor } from './janitor.js';
import type { ClientProject } from './projects.js';

/** The project that each page empties. The client's readme installs such a page next to REDCap, only for its tests. */
const PAGES: ReadonlyMap<string, string> = new Map([
  ['/redcap/plugins/redcapr/wipe-project-redcapr-simple.php', 'simple-write'],
  ['/redcap/plugins/redcapr/wipe-project-redcapr-arm-delete-single.php', 'arm-single-delete'],
  ['/redcap/plugins/redcapr/wipe-project-redcapr-arm-delete-multiple.php', 'arm-multiple-delete'],
]);

/**
 * A page that exists but empties nothing: its tests expect existing record names, and its users may not create deleted
 * records.
 */
const IDLE_PAGE = '/redcap/plugins/redcapr/wipe-project-redcapr-dag-write.php';

/** Pages that empty a project of the sandbox. They are part of the client's test environment, not of REDCap. */
export class WipePages {
  readonly #tokens = new Map<string, string>();

  /** Adds a user with the right to empty a project to each project that a page empties. */
  prepare(original: ClientProject): ClientProject {
    if (![...PAGES.values()].includes(original.tag)) return original;
    const { project, token } = withJanitor(original);
    this.#tokens.set(project.tag, token);
    return project;
  }

  /** @param url the sandbox's address */
  listener(url: string): RequestListener {
    return (request, response) => {
      if (request.url === IDLE_PAGE) {
        answer(response);
        return;
      }
      const token = this.#tokens.get(PAGES.get(request.url ?? '') ?? '');
      if (token === undefined) {
        response.writeHead(404).end();
        return;
      }
      void wipe(url, token).then(
        () => answer(response),
        () => response.writeHead(500).end(),
      );
    };
  }
}

function answer(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/html' }).end('<h3>Deleted</h3>');
}

async function wipe(url: string, token: string): Promise<void> {
  const client = createCrfClient({ url, token });
  try {
    const [idField] = await client.fields.list();
    if (idField === undefined) return;
    const rows = await client.exportRecords({ fields: [idField.name] });
    const ids = [...new Set(rows.map((row) => String(row[idField.name])))];
    if (ids.length > 0) await client.records.delete(ids);
  } finally {
    client.close();
  }
}
