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
  return renderPage({
    title: 'A safe front door to a REDCap project',
    context,
    scripts: [ASSETS.commandsScript],
    lead: <WhatRuns {...context} {...view} />,
    children: (
      <>
        <ul class="cards">
          {context.hasDashboard && (
            <Card href="/dashboard" title="Dashboard">
              How the study goes: recruitment, completeness, missing data.
            </Card>
          )}
          {context.hasDashboard && (
            <Card href="/try-file" title="Try a file">
              Check a CSV against the data dictionary. Nothing is stored.
            </Card>
          )}
          {context.hasReference && (
            <Card href="/docs/" title="API reference">
              Every route, each of which can be tried there.
            </Card>
          )}
          <Card href="/openapi.json" title="OpenAPI document">
            The same, for programs: generate a client from it.
          </Card>
        </ul>
        {context.isSandbox && context.hasSignIn && <GuidedWay isSignedIn={context.isSignedIn} />}
        <h2>Three things to try</h2>
        {view.isClosed && (
          <p>
            Calls need an API key, made with <code>crf key create</code>. Put it in <code>CRF_API_KEY</code>.
          </p>
        )}
        {commandsFor(context, view).map(({ title, command }) => (
          <section key={title}>
            <h3>{title}</h3>
            <div class="command">
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
  return renderPage({
    title,
    context,
    children: (
      <ul class="cards">
        <Card href="/dashboard" title="Dashboard">
          How the study goes: recruitment, completeness, missing data.
        </Card>
        {mayReadRecords && (
          <Card href="/dashboard/due" title="Who is due">
            Visits that are overdue, due this week or later, by site.
          </Card>
        )}
        {mayReadRecords && (
          <Card href="/dashboard/records" title="Records">
            Every record with its forms, findings and history.
          </Card>
        )}
        <Card href="/try-file" title="Try a file">
          Check a CSV against the data dictionary. Nothing is stored.
        </Card>
        <Card href="/dashboard/sessions" title="Account">
          Your sessions and your data.
        </Card>
      </ul>
    ),
  });
}

function WhatRuns({ isSandbox, projectTitle }: PageContext & HomeView) {
  const place = isSandbox ? (
    <>
      It runs on the <strong>sandbox</strong>: a made-up study in this process.
    </>
  ) : (
    <>It is connected to a REDCap project.</>
  );
  return (
    <>
      CRF Service gives applications, scripts and people a typed REST API, a command line and a sign-in
      without passwords. {place}
      {projectTitle !== undefined && (
        <>
          {' '}
          The project is <strong>{projectTitle}</strong>.
        </>
      )}
    </>
  );
}

function Card({
  href,
  title,
  children,
}: {
  readonly href: string;
  readonly title: string;
  readonly children: string;
}) {
  return (
    <li class="card">
      <h2>
        <a href={href}>{title}</a>
      </h2>
      <p class="quiet small">{children}</p>
    </li>
  );
}

/** A guided tour of the sandbox, from an email to a report. */
function GuidedWay({ isSignedIn }: Pick<PageContext, 'isSignedIn'>) {
  return (
    <>
      <h2>Guided tour</h2>
      <ol class="steps">
        <li>
          <h3>
            <a href="/login">Sign in</a>
          </h3>
          {isSignedIn ? (
            <p>Done: you are signed in.</p>
          ) : (
            <p>
              With any address at example.org. The mail with the link arrives in the{' '}
              <a href="/sandbox/mailbox">mailbox</a>.
            </p>
          )}
        </li>
        <li>
          <h3>
            <a href="/dashboard">See the dashboard</a>
          </h3>
          <p>The study at a glance, from made-up participants.</p>
        </li>
        <li>
          <h3>
            <a href="/api/v1/records?limit=20&amp;format=csv">Try an export</a>
          </h3>
          <p>The first rows as a CSV file, safe to open in a spreadsheet.</p>
        </li>
        <li>
          <h3>
            <a href="/try-file">Import a file with mistakes</a>
          </h3>
          <p>
            Take <a href="/try-file/example.csv">this one</a>, and see the report before anything is stored.
          </p>
        </li>
      </ol>
    </>
  );
}

function commandsFor({ isSandbox }: PageContext, { origin, isClosed }: HomeView) {
  const key = isClosed ? ' \\\n  -H "Authorization: Bearer $CRF_API_KEY"' : '';
  const fields = isSandbox ? 'fields=record_id&fields=age&' : '';
  return [
    { title: 'Read what the project is', command: `curl -s '${origin}/api/v1/project/info'${key}` },
    {
      title: 'Export the first five rows as CSV',
      command: `curl -s '${origin}/api/v1/records?${fields}limit=5' \\\n  -H 'Accept: text/csv'${key}`,
    },
    {
      title: 'Check a file, and store nothing',
      command: `curl -s '${origin}/api/v1/records?dryRun=true' \\\n  -H 'Content-Type: text/csv' \\\n  --data-binary @records.csv${key}`,
    },
  ];
}
