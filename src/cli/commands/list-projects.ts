import { configuredProjects } from '../../server/config/projects-file.js';
import { toTable } from '../printing/table.js';
import { terminalWidth } from '../printing/terminal-width.js';

/** A project as it is listed, without what its token is read from. */
interface ListedProject {
  readonly name: string;
  readonly isDefault: boolean;
  /** The origin of its REDCap, or the study of the sandbox. */
  readonly server: string;
}

/** Prints the projects of the file. */
export function listProjects({ json }: { readonly json: boolean }): Promise<void> {
  const { projects, default: standard } = configuredProjects();
  const listed = [...projects].map(([name, { url, sandbox }]): ListedProject => ({
    name,
    isDefault: name === standard,
    server: url === undefined ? `sandbox ${sandbox}` : new URL(url).origin,
  }));
  const table = toTable(
    listed,
    [
      { title: 'project', cell: ({ name }) => name },
      { title: 'default', cell: ({ isDefault }) => (isDefault ? 'yes' : '') },
      { title: 'server', cell: ({ server }) => server },
    ],
    terminalWidth(process.stdout),
  );
  process.stdout.write(json ? `${JSON.stringify(listed, null, 2)}\n` : table);
  return Promise.resolve();
}
