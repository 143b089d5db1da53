import type { startTexts as english } from './en-start.js';

/** The German texts of the start page, the help, the reference and the mailbox of the sandbox. */
export const startTexts: typeof english = {
  home: {
    title: 'Ein sicherer Zugang zu einem REDCap-Projekt',
    lead: 'CRF Service gibt Anwendungen, Skripten und Menschen eine typisierte REST-API, eine Kommandozeile und eine Anmeldung ohne Passwort.',
    onSandbox: (
      <>
        Er läuft mit der <strong>Sandbox</strong>: einer erfundenen Studie in diesem Prozess.
      </>
    ),
    onProject: 'Er ist mit einem REDCap-Projekt verbunden.',
    project: (title) => (
      <>
        Das Projekt ist <strong>{title}</strong>.
      </>
    ),
    dashboard: 'Wie die Studie vorangeht: Rekrutierung, Vollständigkeit, fehlende Werte.',
    tryFile: 'Eine CSV-Datei gegen das Data Dictionary prüfen. Gespeichert wird nichts.',
    reference: 'Alle Aufrufe; jeder lässt sich dort ausprobieren.',
    openApi: 'Dasselbe für Programme: Erzeugen Sie daraus einen Client.',
    due: {
      title: 'Fällige Visiten',
      text: 'Visiten, die überfällig, diese Woche oder später fällig sind, nach Zentrum.',
    },
    records: {
      title: 'Datensätze',
      text: 'Jeder Datensatz mit Formularen, Werten, Auffälligkeiten und Verlauf.',
    },
    account: 'Ihre Sitzungen und Ihre Daten.',
    toTry: 'Drei Dinge zum Ausprobieren',
    needsKey: (
      <>
        Aufrufe brauchen einen API-Schlüssel, den <code>crf key create</code> erzeugt. Legen Sie ihn in{' '}
        <code>CRF_API_KEY</code> ab.
      </>
    ),
    readProject: 'Lesen, welches Projekt es ist',
    exportRows: 'Die ersten fünf Zeilen als CSV exportieren',
    checkFile: 'Eine Datei prüfen und nichts speichern',
    copy: 'Kopieren',
    copied: 'Kopiert',
    copyWhat: (title) => `Kopieren: ${title}`,
  },

  tour: {
    title: 'Rundgang',
    signIn: 'Anmelden',
    signInText: (
      <>
        Mit einer beliebigen Adresse bei example.org. Die E-Mail mit dem Link kommt im{' '}
        <a href="/sandbox/mailbox">Postfach</a> an.
      </>
    ),
    signedIn: 'Erledigt: Sie sind angemeldet.',
    dashboard: 'Das Dashboard ansehen',
    dashboardText: 'Die Studie auf einen Blick, mit erfundenen Teilnehmenden.',
    export: 'Einen Export ausprobieren',
    exportText:
      'Die ersten Zeilen als CSV-Datei, die sich gefahrlos in einer Tabellenkalkulation öffnen lässt.',
    import: 'Eine fehlerhafte Datei importieren',
    importText: (
      <>
        Nehmen Sie <a href="/try-file/example.csv">diese</a>, und sehen Sie den Bericht, bevor etwas
        gespeichert wird.
      </>
    ),
  },

  docs: {
    title: 'API-Referenz',
    titleOfProject: 'API-Referenz dieses Projekts',
    forAnyProject: 'Die Referenz für jedes Projekt.',
    ofThisProject: 'Mit den Formularen, Feldern und Auswahlmöglichkeiten dieses Projekts.',
    toAnyProject: 'Zur Referenz für jedes Projekt',
    toThisProject: 'Zur Referenz dieses Projekts, mit seinen Feldern und Auswahlmöglichkeiten',
    needsScripts: (document) => (
      <>
        Aufrufe auszuprobieren braucht JavaScript. Im <a href={document}>OpenAPI-Dokument</a> steht dasselbe.
      </>
    ),
  },

  mailbox: {
    title: 'Postfach der Sandbox',
    lead: 'Die Sandbox verschickt keine E-Mails. Diese wären verschickt worden.',
    lookAgain: 'Noch einmal nachsehen',
    byThemselves: 'Neue E-Mails erscheinen hier von selbst.',
    showNew: 'Neue E-Mails anzeigen',
    noMail: (
      <>
        Noch keine E-Mail. <a href="/login">Fordern Sie einen Anmeldelink an</a>.
      </>
    ),
    to: (address) => `An ${address}`,
    requested: (at, device) => (
      <>
        {at}, angefordert mit {device}
      </>
    ),
    phrase: (phrase) => (
      <>
        Sicherheitswörter: <strong>{phrase}</strong>
      </>
    ),
    signIn: 'Anmelden',
    signInAs: (address) => `Anmelden als ${address}`,
  },

  help: {
    title: 'Hilfe',
    noMail: 'Es ist keine E-Mail angekommen',
    noMailText: (
      <>
        Sehen Sie im Spam-Ordner nach. Nur Adressen aus den Domains der Studie erhalten einen Link, und die
        Seite sagt dasselbe, ob Ihre bekannt ist oder nicht.{' '}
        <a href="/login">Fordern Sie nach ein paar Minuten einen neuen Link an</a>.
      </>
    ),
    sandboxMail: (
      <>
        Die Sandbox verschickt keine E-Mails: Sie finden den Link im <a href="/sandbox/mailbox">Postfach</a>.
      </>
    ),
    link: 'Der Link gilt nicht',
    linkText:
      'Ein Link gilt einmal und zehn Minuten lang, und ein neuer ersetzt ihn. Öffnen Sie ihn auf dem Gerät, auf dem Sie ihn angefordert haben.',
    linkCode:
      'Ist Ihr Postfach auf einem anderen Gerät, öffnen Sie den Link dort, wählen Sie „Code anzeigen“, und geben Sie den Code auf der Seite ein, die auf ihn wartet.',
    dashboard: 'Das Dashboard zeigt wenig',
    dashboardText:
      'Wer sich anmeldet, sieht in Zahlen, wie die Studie vorangeht, nicht ihre Datensätze. Kleine Zahlen werden weggelassen, damit sie niemanden erkennbar machen. Wer diesen Dienst betreibt, entscheidet, wer mehr sehen darf.',
    error: 'Etwas ist schiefgegangen',
    errorText:
      'Jeder Fehler hat eine Anfrage-ID. Nennen Sie sie, wenn Sie um Hilfe bitten: Sie bezeichnet eine Zeile im Protokoll, das keine Daten der Studie enthält.',
    programs: 'Für Programme',
    programsText: (
      <>
        Die API ist im <a href="/openapi.json">OpenAPI-Dokument</a> beschrieben. Jeder Fehler ist ein Dokument
        mit einem festen Code.
      </>
    ),
    programsTextWithReference: (
      <>
        Die API ist im <a href="/openapi.json">OpenAPI-Dokument</a> beschrieben und lässt sich in der{' '}
        <a href="/docs/">Referenz</a> ausprobieren. Jeder Fehler ist ein Dokument mit einem festen Code.
      </>
    ),
    contact: 'Kontakt',
  },
};
