import type { SessionSummary, SessionUser } from '../services/auth/auth-types.js';
import { Moment } from './parts.js';
import { renderPage } from './page.js';
import type { PageContext } from './page-context.js';
import type { Texts } from './texts/texts.js';

/** The page of the signed-in person: their account, sessions and data, and signing out. */
export function sessionsPage(
  context: PageContext,
  { user, sessions }: { readonly user: SessionUser; readonly sessions: readonly SessionSummary[] },
): string {
  const { t } = context;
  return renderPage({
    title: t.account.title,
    context,
    children: (
      <>
        <div class="card">
          <dl class="facts">
            <dt>{t.account.signedInAs}</dt>
            <dd>{user.email}</dd>
            <dt>{t.account.userId}</dt>
            <dd>{user.id}</dd>
            <dt>{t.account.until}</dt>
            <dd>
              <Moment at={user.expiresAt} t={t} />
            </dd>
          </dl>
        </div>
        <h2>{t.account.sessions}</h2>
        <p class="quiet">{t.account.aboutSessions}</p>
        <div class="card">
          <ul class="rows">
            {sessions.map((session) => (
              <SessionItem key={session.id} {...session} t={t} />
            ))}
          </ul>
        </div>
        <h2>{t.account.data}</h2>
        <p class="actions">
          <a href="/dashboard/my-data" download>
            {t.account.downloadData}
          </a>
          <a href="/dashboard/delete-account">{t.account.deleteAccountLink}</a>
        </p>
      </>
    ),
  });
}

/** The page that asks for confirmation before an account is deleted, and explains the consequences. */
export function deleteAccountPage(context: PageContext, user: SessionUser): string {
  const { t } = context;
  return renderPage({
    title: t.account.deleteAccount,
    context,
    children: (
      <div class="card">
        <p>{t.account.deleteWarning(user.email)}</p>
        <p>{t.account.studyStays}</p>
        <div class="actions">
          <form method="post" action="/dashboard/delete-account">
            <button class="danger" type="submit">
              {t.account.deleteAccount}
            </button>
          </form>
          <a href="/dashboard/sessions">{t.account.keep}</a>
        </div>
      </div>
    ),
  });
}

function SessionItem({
  id,
  isCurrent,
  createdAt,
  expiresAt,
  device,
  country,
  t,
}: SessionSummary & { readonly t: Texts }) {
  const place = [t.device(device), country].filter((part) => part !== '').join(', ');
  return (
    <li>
      <span>
        {place === '' ? t.account.unknownDevice : place} {isCurrent && <strong>{t.account.thisOne}</strong>}
        <br />
        <span class="quiet small">
          {t.account.sinceUntil(<Moment at={createdAt} t={t} />, <Moment at={expiresAt} t={t} />)}
        </span>
      </span>
      <form method="post" action="/dashboard/sessions/end">
        <input type="hidden" name="id" value={id} />
        <button class="plain small" type="submit">
          {t.account.endSession}
        </button>
      </form>
    </li>
  );
}
