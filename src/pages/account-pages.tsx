import type { SessionSummary, SessionUser } from '../services/auth/auth-types.js';
import { Moment } from './moment.js';
import { renderPage } from './page.js';
import type { PageContext } from './page-context.js';

/** The page of the signed-in person: their account, sessions and data, and signing out. */
export function sessionsPage(
  context: PageContext,
  { user, sessions }: { readonly user: SessionUser; readonly sessions: readonly SessionSummary[] },
): string {
  return renderPage({
    title: 'Your account',
    context,
    children: (
      <>
        <div class="card">
          <dl class="facts">
            <dt>Signed in as</dt>
            <dd>{user.email}</dd>
            <dt>User id</dt>
            <dd>{user.id}</dd>
            <dt>Until</dt>
            <dd>
              <Moment at={user.expiresAt} />
            </dd>
          </dl>
        </div>
        <h2>Your sessions</h2>
        <p class="quiet">A session is one browser that is signed in. End any that you do not recognize.</p>
        <div class="card">
          <ul class="rows">
            {sessions.map((session) => (
              <SessionItem key={session.id} {...session} />
            ))}
          </ul>
        </div>
        <h2>Your data</h2>
        <p class="actions">
          <a href="/dashboard/my-data" download>
            Download my data
          </a>
          <a href="/dashboard/delete-account">Delete my account …</a>
        </p>
      </>
    ),
  });
}

/** The page that asks for confirmation before an account is deleted, and explains the consequences. */
export function deleteAccountPage(context: PageContext, user: SessionUser): string {
  return renderPage({
    title: 'Delete my account',
    context,
    children: (
      <div class="card">
        <p>
          This deletes the sign-in account of <strong>{user.email}</strong> and ends all its sessions. It
          cannot be undone.
        </p>
        <p>The study’s data in REDCap stays as it is.</p>
        <div class="actions">
          <form method="post" action="/dashboard/delete-account">
            <button class="danger" type="submit">
              Delete my account
            </button>
          </form>
          <a href="/dashboard/sessions">Keep it</a>
        </div>
      </div>
    ),
  });
}

function SessionItem({ id, isCurrent, createdAt, expiresAt, device, country }: SessionSummary) {
  const place = [device, country].filter((part) => part !== '').join(', ');
  return (
    <li>
      <span>
        {place === '' ? 'Unknown device' : place} {isCurrent && <strong>(this one)</strong>}
        <br />
        <span class="quiet small">
          since <Moment at={createdAt} />, until <Moment at={expiresAt} />
        </span>
      </span>
      <form method="post" action="/dashboard/sessions/end">
        <input type="hidden" name="id" value={id} />
        <button class="plain small" type="submit">
          End this session
        </button>
      </form>
    </li>
  );
}
