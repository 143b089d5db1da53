import type { Child } from 'hono/jsx';

/** The texts of the start page, the help, the reference and the mailbox of the sandbox. */
export const startTexts = {
  home: {
    title: 'A safe front door to a REDCap project',
    lead: 'CRF Service gives applications, scripts and people a typed REST API, a command line and a sign-in without passwords.',
    onSandbox: (
      <>
        It runs on the <strong>sandbox</strong>: a made-up study in this process.
      </>
    ),
    onProject: 'It is connected to a REDCap project.',
    project: (title: string) => (
      <>
        The project is <strong>{title}</strong>.
      </>
    ),
    dashboard: 'How the study goes: recruitment, completeness, missing data.',
    tryFile: 'Check a CSV against the data dictionary. Nothing is stored.',
    reference: 'Every route, each of which can be tried there.',
    openApi: 'The same, for programs: generate a client from it.',
    due: { title: 'Who is due', text: 'Visits that are overdue, due this week or later, by site.' },
    records: { title: 'Records', text: 'Every record with its forms, values, findings and history.' },
    account: 'Your sessions and your data.',
    toTry: 'Three things to try',
    needsKey: (
      <>
        Calls need an API key, made with <code>crf key create</code>. Put it in <code>CRF_API_KEY</code>.
      </>
    ),
    readProject: 'Read what the project is',
    exportRows: 'Export the first five rows as CSV',
    checkFile: 'Check a file, and store nothing',
    copy: 'Copy',
    copied: 'Copied',
    copyWhat: (title: string) => `Copy: ${title}`,
  },

  tour: {
    title: 'Guided tour',
    signIn: 'Sign in',
    signInText: (
      <>
        With any address at example.org. The mail with the link arrives in the{' '}
        <a href="/sandbox/mailbox">mailbox</a>.
      </>
    ),
    signedIn: 'Done: you are signed in.',
    dashboard: 'See the dashboard',
    dashboardText: 'The study at a glance, from made-up participants.',
    export: 'Try an export',
    exportText: 'The first rows as a CSV file, safe to open in a spreadsheet.',
    import: 'Import a file with mistakes',
    importText: (
      <>
        Take <a href="/try-file/example.csv">this one</a>, and see the report before anything is stored.
      </>
    ),
  },

  docs: {
    title: 'API reference',
    titleOfProject: 'API reference of this project',
    forAnyProject: 'The same for any project.',
    ofThisProject: 'With the instruments, fields and choices of this project.',
    toAnyProject: 'Show the reference for any project',
    toThisProject: 'Show the reference of this project, with its fields and choices',
    needsScripts: (document: string) => (
      <>
        Trying routes out needs JavaScript. The <a href={document}>OpenAPI document</a> says the same.
      </>
    ),
  },

  mailbox: {
    title: 'Mailbox of the sandbox',
    lead: 'The sandbox sends no mail. These messages would have been sent.',
    lookAgain: 'Look again',
    byThemselves: 'New mails appear here by themselves.',
    showNew: 'Show the new mails',
    noMail: (
      <>
        No mail yet. <a href="/login">Ask for a sign-in link</a>.
      </>
    ),
    to: (address: string) => `To ${address}`,
    requested: (at: Child, device: string) => (
      <>
        {at}, requested with {device}
      </>
    ),
    phrase: (phrase: string) => (
      <>
        Security phrase: <strong>{phrase}</strong>
      </>
    ),
    signIn: 'Sign in',
    signInAs: (address: string) => `Sign in as ${address}`,
  },

  help: {
    title: 'Help',
    noMail: 'No mail arrived',
    noMailText: (
      <>
        Check your spam folder. Only addresses in the study’s own domains receive a link, and the page says
        the same whether or not yours is known. After a few minutes, <a href="/login">ask again</a>.
      </>
    ),
    sandboxMail: (
      <>
        The sandbox sends no mail: you find the link in the <a href="/sandbox/mailbox">mailbox</a>.
      </>
    ),
    link: 'The link does not work',
    linkText:
      'A link works once, for ten minutes, and a newer one replaces it. Open it on the device on which you asked for it.',
    linkCode:
      'If your mail is on another device, open the link there, choose “Get a code”, and type the code into the page that is waiting.',
    dashboard: 'The dashboard shows little',
    dashboardText:
      'Signing in shows the progress of the study in numbers, not its records. Small numbers are left out, so that they cannot identify a participant. Whoever runs this service decides who may see more.',
    error: 'Something went wrong',
    errorText:
      'Every error has a request id. Quote it when you ask for help: it identifies one line in the log, which contains no data of the study.',
    programs: 'For programs',
    programsText: (
      <>
        The API is described in the <a href="/openapi.json">OpenAPI document</a>. Every error is a problem
        document with a stable code.
      </>
    ),
    programsTextWithReference: (
      <>
        The API is described in the <a href="/openapi.json">OpenAPI document</a> and can be tried in the{' '}
        <a href="/docs/">reference</a>. Every error is a problem document with a stable code.
      </>
    ),
    contact: 'Contact',
  },
};
