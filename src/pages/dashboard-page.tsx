import type { SessionUser } from '../services/auth/auth-types.js';
import type { Overview } from '../services/project-overview.js';
import { renderPage } from './page.js';
import type { PageContext } from './page-context.js';

export interface DashboardView {
  readonly user: SessionUser;
  readonly project: Overview;
}

/** Who is signed in, and what they may see of the project. */
export function dashboardPage(context: PageContext, { user, project }: DashboardView): string {
  const { title, version, records, notes } = project;
  return renderPage({
    title: 'Dashboard',
    context,
    lead: title,
    children: (
      <>
        <ul class="figures">
          {records !== undefined && (
            <li>
              <strong>{records}</strong>
              <span>Records</span>
            </li>
          )}
          {version !== undefined && (
            <li>
              <strong>{version}</strong>
              <span>REDCap</span>
            </li>
          )}
        </ul>
        {notes.map((note) => (
          <p class="quiet">{note}</p>
        ))}
        <p class="quiet">
          Signed in as {user.email}. <a href="/dashboard/sessions">Account and sessions</a>
        </p>
      </>
    ),
  });
}
