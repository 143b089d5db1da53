import type { Child } from 'hono/jsx';
import type { InLanguage } from './in-language.js';

/** The texts of the start page, the help, the reference and the mailbox of the sandbox. */
export const startTexts = ({ t }: InLanguage) => ({
  home: {
    title: t('A safe front door to a REDCap project', 'Ein sicherer Zugang zu einem REDCap-Projekt'),
    lead: t(
      'CRF Service gives applications, scripts and people a typed REST API, a command line and a sign-in without passwords.',
      'CRF Service gibt Anwendungen, Skripten und Menschen eine typisierte REST-API, eine Kommandozeile und eine Anmeldung ohne Passwort.',
    ),
    onSandbox: t(
      <>
        It runs on the <strong>sandbox</strong>: a made-up study in this process.
      </>,
      <>
        Er läuft mit der <strong>Sandbox</strong>: einer erfundenen Studie in diesem Prozess.
      </>,
    ),
    onProject: t('It is connected to a REDCap project.', 'Er ist mit einem REDCap-Projekt verbunden.'),
    project: (title: string) =>
      t(
        <>
          The project is <strong>{title}</strong>.
        </>,
        <>
          Das Projekt ist <strong>{title}</strong>.
        </>,
      ),
    dashboard: t(
      'How the study goes: recruitment, completeness, missing data.',
      'Wie die Studie vorangeht: Rekrutierung, Vollständigkeit, fehlende Werte.',
    ),
    tryFile: t(
      'Check a CSV against the data dictionary. Nothing is stored.',
      'Eine CSV-Datei gegen das Data Dictionary prüfen. Gespeichert wird nichts.',
    ),
    reference: t(
      'Every route, each of which can be tried there.',
      'Alle Aufrufe; jeder lässt sich dort ausprobieren.',
    ),
    openApi: t(
      'The same, for programs: generate a client from it.',
      'Dasselbe für Programme: Erzeugen Sie daraus einen Client.',
    ),
    due: {
      title: t('Who is due', 'Fällige Visiten'),
      text: t(
        'Visits that are overdue, due this week or later, by data access group.',
        'Visiten, die überfällig, diese Woche oder später fällig sind, nach Datenzugriffsgruppe.',
      ),
    },
    records: {
      title: t('Records', 'Datensätze'),
      text: t(
        'Every record with its forms, values, findings and history.',
        'Jeder Datensatz mit Formularen, Werten, Auffälligkeiten und Verlauf.',
      ),
    },
    account: t('Your sessions and your data.', 'Ihre Sitzungen und Ihre Daten.'),
    toTry: t('Three things to try', 'Drei Dinge zum Ausprobieren'),
    needsKey: t(
      <>
        Calls need an API key, made with <code>crf key create</code>. Put it in <code>CRF_KEY</code>.
      </>,
      <>
        Aufrufe brauchen einen API-Schlüssel, den <code>crf key create</code> erzeugt. Legen Sie ihn in{' '}
        <code>CRF_KEY</code> ab.
      </>,
    ),
    readProject: t('Read what the project is', 'Lesen, welches Projekt es ist'),
    exportRows: t('Export the first five rows as CSV', 'Die ersten fünf Zeilen als CSV exportieren'),
    checkFile: t('Check a file, and store nothing', 'Eine Datei prüfen und nichts speichern'),
    copy: t('Copy', 'Kopieren'),
    copied: t('Copied', 'Kopiert'),
    copyWhat: (title: string) => t(`Copy: ${title}`, `Kopieren: ${title}`),
  },

  tour: {
    title: t('Guided tour', 'Rundgang'),
    signIn: t('Sign in', 'Anmelden'),
    signInText: t(
      <>
        With any address at example.org. The mail with the link arrives in the{' '}
        <a href="/sandbox/mailbox">mailbox</a>.
      </>,
      <>
        Mit einer beliebigen Adresse bei example.org. Die E-Mail mit dem Link kommt im{' '}
        <a href="/sandbox/mailbox">Postfach</a> an.
      </>,
    ),
    signedIn: t('Done: you are signed in.', 'Erledigt: Sie sind angemeldet.'),
    dashboard: t('See the dashboard', 'Das Dashboard ansehen'),
    dashboardText: t(
      'The study at a glance, from made-up participants.',
      'Die Studie auf einen Blick, mit erfundenen Teilnehmenden.',
    ),
    export: t('Try an export', 'Einen Export ausprobieren'),
    exportText: t(
      'The first rows as a CSV file, safe to open in a spreadsheet.',
      'Die ersten Zeilen als CSV-Datei, die sich gefahrlos in einer Tabellenkalkulation öffnen lässt.',
    ),
    import: t('Import a file with mistakes', 'Eine fehlerhafte Datei importieren'),
    importText: t(
      <>
        Take <a href="/try-file/example.csv">this one</a>, and see the report before anything is stored.
      </>,
      <>
        Nehmen Sie <a href="/try-file/example.csv">diese</a>, und sehen Sie den Bericht, bevor etwas
        gespeichert wird.
      </>,
    ),
  },

  docs: {
    title: t('API reference', 'API-Referenz'),
    titleOfProject: t('API reference of this project', 'API-Referenz dieses Projekts'),
    forAnyProject: t('The same for any project.', 'Die Referenz für jedes Projekt.'),
    ofThisProject: t(
      'With the instruments, fields and choices of this project.',
      'Mit den Formularen, Feldern und Auswahlmöglichkeiten dieses Projekts.',
    ),
    toAnyProject: t('Show the reference for any project', 'Zur Referenz für jedes Projekt'),
    toThisProject: t(
      'Show the reference of this project, with its fields and choices',
      'Zur Referenz dieses Projekts, mit seinen Feldern und Auswahlmöglichkeiten',
    ),
    needsScripts: (document: string) =>
      t(
        <>
          Trying routes out needs JavaScript. The <a href={document}>OpenAPI document</a> says the same.
        </>,
        <>
          Aufrufe auszuprobieren braucht JavaScript. Im <a href={document}>OpenAPI-Dokument</a> steht
          dasselbe.
        </>,
      ),
  },

  mailbox: {
    title: t('Mailbox of the sandbox', 'Postfach der Sandbox'),
    lead: t(
      'The sandbox sends no mail. These messages would have been sent.',
      'Die Sandbox verschickt keine E-Mails. Diese wären verschickt worden.',
    ),
    lookAgain: t('Look again', 'Noch einmal nachsehen'),
    byThemselves: t('New mails appear here by themselves.', 'Neue E-Mails erscheinen hier von selbst.'),
    noMail: t(
      <>
        No mail yet. <a href="/login">Ask for a sign-in link</a>.
      </>,
      <>
        Noch keine E-Mail. <a href="/login">Fordern Sie einen Anmeldelink an</a>.
      </>,
    ),
    to: (address: string) => t(`To ${address}`, `An ${address}`),
    requested: (at: Child, device: string) =>
      t(
        <>
          {at}, requested with {device}
        </>,
        <>
          {at}, angefordert mit {device}
        </>,
      ),
    phrase: (phrase: string) =>
      t(
        <>
          Security phrase: <strong>{phrase}</strong>
        </>,
        <>
          Sicherheitswörter: <strong>{phrase}</strong>
        </>,
      ),
    signIn: t('Sign in', 'Anmelden'),
    signInAs: (address: string) => t(`Sign in as ${address}`, `Anmelden als ${address}`),
  },

  help: {
    title: t('Help', 'Hilfe'),
    noMail: t('No mail arrived', 'Es ist keine E-Mail angekommen'),
    noMailText: t(
      <>
        Check your spam folder. Only addresses in the study’s own domains receive a link, and the page says
        the same whether or not yours is known. After a few minutes, <a href="/login">ask again</a>.
      </>,
      <>
        Sehen Sie im Spam-Ordner nach. Nur Adressen aus den Domains der Studie erhalten einen Link, und die
        Seite sagt dasselbe, ob Ihre bekannt ist oder nicht.{' '}
        <a href="/login">Fordern Sie nach ein paar Minuten einen neuen Link an</a>.
      </>,
    ),
    sandboxMail: t(
      <>
        The sandbox sends no mail: you find the link in the <a href="/sandbox/mailbox">mailbox</a>.
      </>,
      <>
        Die Sandbox verschickt keine E-Mails: Sie finden den Link im <a href="/sandbox/mailbox">Postfach</a>.
      </>,
    ),
    link: t('The link does not work', 'Der Link gilt nicht'),
    linkText: t(
      'A link works once, for ten minutes, and a newer one replaces it. Open it on the device on which you asked for it.',
      'Ein Link gilt einmal und zehn Minuten lang, und ein neuer ersetzt ihn. Öffnen Sie ihn auf dem Gerät, auf dem Sie ihn angefordert haben.',
    ),
    linkCode: t(
      'If your mail is on another device, open the link there, choose “Get a code”, and type the code into the page that is waiting.',
      'Ist Ihr Postfach auf einem anderen Gerät, öffnen Sie den Link dort, wählen Sie „Code anzeigen“, und geben Sie den Code auf der Seite ein, die auf ihn wartet.',
    ),
    dashboard: t('The dashboard shows little', 'Das Dashboard zeigt wenig'),
    dashboardText: t(
      'Signing in shows the progress of the study in numbers, not its records. Small numbers are left out, so that they cannot identify a participant. Whoever runs this service decides who may see more.',
      'Wer sich anmeldet, sieht in Zahlen, wie die Studie vorangeht, nicht ihre Datensätze. Kleine Zahlen werden weggelassen, damit sie niemanden erkennbar machen. Wer diesen Dienst betreibt, entscheidet, wer mehr sehen darf.',
    ),
    error: t('Something went wrong', 'Etwas ist schiefgegangen'),
    errorText: t(
      'Every error has a request id. Quote it when you ask for help: it identifies one line in the log, which contains no data of the study.',
      'Jeder Fehler hat eine Anfrage-ID. Nennen Sie sie, wenn Sie um Hilfe bitten: Sie bezeichnet eine Zeile im Protokoll, das keine Daten der Studie enthält.',
    ),
    programs: t('For programs', 'Für Programme'),
    programsText: t(
      <>
        The API is described in the <a href="/openapi.json">OpenAPI document</a>. Every error is a problem
        document with a stable code.
      </>,
      <>
        Die API ist im <a href="/openapi.json">OpenAPI-Dokument</a> beschrieben. Jeder Fehler ist ein Dokument
        mit einem festen Code.
      </>,
    ),
    programsTextWithReference: t(
      <>
        The API is described in the <a href="/openapi.json">OpenAPI document</a> and can be tried in the{' '}
        <a href="/docs/">reference</a>. Every error is a problem document with a stable code.
      </>,
      <>
        Die API ist im <a href="/openapi.json">OpenAPI-Dokument</a> beschrieben und lässt sich in der{' '}
        <a href="/docs/">Referenz</a> ausprobieren. Jeder Fehler ist ein Dokument mit einem festen Code.
      </>,
    ),
    contact: t('Contact', 'Kontakt'),
  },
});
