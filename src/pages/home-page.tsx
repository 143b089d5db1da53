import { ASSETS } from './assets.js';
import { renderPage } from './page.js';
import type { PageContext } from './page-context.js';

/** The contents of the start page. */
export interface HomeView {
  /** The title of the project, for readers who may see it. */
  readonly projectTitle: string | undefined;
  /** The public URL of the service, such as `https://crf.example.org`. */
  readonly origin: string;
  readonly mayReadRecords: boolean;
  /** Whether calls require a credential. */
  readonly isClosed: boolean;
}

/**
 * The start page at `/`: what the service is, what it runs on, and three things to try. People who are signed in to a
 * real project find their study instead.
 */
export function homePage(context: PageContext, view: HomeView): string {
  if (!context.isSandbox && context.isSignedIn && view.projectTitle !== undefined)
    return studyHome(context, view, view.projectTitle);
  const { t } = context;
  return renderPage({
    title: t.home.title,
    context,
    scripts: [ASSETS.commandsScript],
    lead: <WhatRuns {...context} {...view} />,
    children: (
      <>
        <ul class="cards">
          {context.hasDashboard && (
            <Card href="/dashboard" title={t.frame.dashboard} text={t.home.dashboard} />
          )}
          {context.hasDashboard && <Card href="/try-file" title={t.frame.tryFile} text={t.home.tryFile} />}
          {context.hasReference && <Card href="/docs/" title={t.docs.title} text={t.home.reference} />}
          <Card href="/openapi.json" title={t.frame.openApi} text={t.home.openApi} />
        </ul>
        {context.isSandbox && context.hasSignIn && <GuidedWay {...context} {...view} />}
        <h2>{t.home.toTry}</h2>
        {view.isClosed && <p>{t.home.needsKey}</p>}
        {commandsFor(context, view).map(({ title, command }) => (
          <section key={title}>
            <h3>{title}</h3>
            <div
              class="command"
              data-copy={t.home.copy}
              data-copied={t.home.copied}
              data-copy-what={t.home.copyWhat(title)}
            >
              <pre tabindex={0} aria-label={title}>
                {command}
              </pre>
            </div>
          </section>
        ))}
      </>
    ),
  });
}

function studyHome(context: PageContext, { mayReadRecords }: HomeView, title: string): string {
  const { frame, home } = context.t;
  return renderPage({
    title,
    context,
    children: (
      <ul class="cards">
        <Card href="/dashboard" title={frame.dashboard} text={home.dashboard} />
        {mayReadRecords && <Card href="/dashboard/due" {...home.due} />}
        {mayReadRecords && <Card href="/dashboard/records" {...home.records} />}
        <Card href="/try-file" title={frame.tryFile} text={home.tryFile} />
        <Card href="/dashboard/sessions" title={frame.account} text={home.account} />
      </ul>
    ),
  });
}

function WhatRuns({ isSandbox, projectTitle, t: { home } }: PageContext & HomeView) {
  return (
    <>
      {home.lead} {isSandbox ? home.onSandbox : home.onProject}
      {projectTitle !== undefined && <> {home.project(projectTitle)}</>}
    </>
  );
}

interface CardProps {
  readonly href: string;
  readonly title: string;
  readonly text: string;
}

function Card({ href, title, text }: CardProps) {
  return (
    <li class="card">
      <h2>
        <a href={href}>{title}</a>
      </h2>
      <p class="quiet small">{text}</p>
    </li>
  );
}

/** A guided tour of the sandbox, from an email to a report. */
function GuidedWay({ isSignedIn, mayReadRecords, t: { tour } }: PageContext & HomeView) {
  const steps = [
    { href: '/login', title: tour.signIn, text: isSignedIn ? tour.signedIn : tour.signInText },
    { href: '/dashboard', title: tour.dashboard, text: tour.dashboardText },
    ...(mayReadRecords
      ? [{ href: '/api/v1/records?limit=20&format=csv', title: tour.export, text: tour.exportText }]
      : []),
    { href: '/try-file', title: tour.import, text: tour.importText },
  ];
  return (
    <>
      <h2>{tour.title}</h2>
      <ol class="steps">
        {steps.map(({ href, title, text }) => (
          <li key={href}>
            <h3>
              <a href={href}>{title}</a>
            </h3>
            <p>{text}</p>
          </li>
        ))}
      </ol>
    </>
  );
}

function commandsFor({ isSandbox, t: { home } }: PageContext, { origin, isClosed }: HomeView) {
  const key = isClosed ? ' \\\n  -H "Authorization: Bearer $CRF_KEY"' : '';
  // Whoever has a key may see other fields.
  const fields = isSandbox && !isClosed ? 'fields=record_id&fields=age&' : '';
  // Who has a project of their own has a file of it.
  const file = fields && `printf 'record_id,age\\nCOHORT-2026-PARTICIPANT-0001,forty\\n' > records.csv\n`;
  return [
    { title: home.readProject, command: `curl -s '${origin}/api/v1/project/info'${key}` },
    {
      title: home.exportRows,
      command: `curl -s '${origin}/api/v1/records?${fields}limit=5' \\\n  -H 'Accept: text/csv'${key}`,
    },
    {
      title: home.checkFile,
      command: `${file}curl -s '${origin}/api/v1/records?dryRun=true' \\\n  -H 'Content-Type: text/csv' \\\n  --data-binary @records.csv${key}`,
    },
  ];
}
