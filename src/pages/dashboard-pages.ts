import type { SessionSummary, SessionUser } from '../services/auth/auth-types.js';
import type { Overview } from '../services/project-overview.js';
import { html, type Html } from './html.js';
import { layout } from './layout.js';

export interface DashboardView {
  readonly user: SessionUser;
  readonly sessions: readonly SessionSummary[];
  readonly project: Overview;
  readonly isSandbox?: boolean;
}

/** Who is signed in, until when, what they may see of the project, and their sessions. */
export function dashboardPage({ user, sessions, project, isSandbox }: DashboardView): string {
  return layout(
    'Dashboard',
    html`<dl>
        <dt>Signed in as</dt>
        <dd>${user.email}</dd>
        <dt>User id</dt>
        <dd>${user.id}</dd>
        <dt>Until</dt>
        <dd>${moment(user.expiresAt)}</dd>
      </dl>
      <h2>Project</h2>
      ${projectSection(project)}
      <h2>Your sessions</h2>
      <ul class="sessions">
        ${sessions.map(sessionItem)}
      </ul>
      <h2>Your account</h2>
      <div class="actions">
        <form method="post" action="/dashboard/sign-out"><button type="submit">Sign out</button></form>
        <a href="/dashboard/my-data" download>Download my data</a>
        <a href="/dashboard/delete-account">Delete my account …</a>
      </div>`,
    { ...(isSandbox !== undefined && { isSandbox }) },
  );
}

/** Asks before an account is deleted, and says what that means. */
export function deleteAccountPage(user: SessionUser, options: { readonly isSandbox?: boolean } = {}): string {
  return layout(
    'Delete my account',
    html`<p>
        This deletes the sign-in account of <strong>${user.email}</strong> and ends all its sessions. It
        cannot be undone.
      </p>
      <p>What the study holds in REDCap is not touched.</p>
      <div class="actions">
        <form method="post" action="/dashboard/delete-account">
          <button class="danger" type="submit">Delete my account</button>
        </form>
        <a href="/dashboard">Keep it</a>
      </div>`,
    options,
  );
}

function projectSection({ title, version, records, notes }: Overview): Html {
  return html`<dl>
      ${
        title !== undefined &&
        html`<dt>Title</dt>
          <dd>${title}</dd>`
      }
      ${
        version !== undefined &&
        html`<dt>REDCap</dt>
          <dd>${version}</dd>`
      }
      ${
        records !== undefined &&
        html`<dt>Records</dt>
          <dd>${records}</dd>`
      }
    </dl>
    ${notes.map((note) => html`<p class="quiet">${note}</p>`)}`;
}

function sessionItem({ id, isCurrent, createdAt, expiresAt, device, country }: SessionSummary): Html {
  const place = [device, country].filter((part) => part !== '').join(', ');
  return html`<li>
    <span
      >${place === '' ? 'Unknown device' : place}${isCurrent && html` <strong>(this one)</strong>`}<br />
      <span class="quiet">since ${moment(createdAt)}, until ${moment(expiresAt)}</span></span
    >
    <form method="post" action="/dashboard/sessions/end">
      <input type="hidden" name="id" value="${id}" />
      <button class="plain" type="submit">End this session</button>
    </form>
  </li>`;
}

/** `2026-11-20 21:00 UTC`: the same for every reader, whatever their browser. */
function moment(iso: string): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? iso : `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
