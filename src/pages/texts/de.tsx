import { GERMAN as words } from './in-language.js';
import type { Texts } from './en.js';
import { titleOfProblem } from './de-problems.js';
import { listTexts } from './de-lists.js';
import { sentences } from './de-sentences.js';
import { signInTexts } from './de-sign-in.js';
import { startTexts } from './de-start.js';
import { studyTexts } from './de-study.js';
import { tryFileTexts } from './de-try-file.js';

const { counted } = words;

/** The German texts, in the words of REDCap’s German users. */
export const de: Texts = {
  ...words,
  ...signInTexts,
  ...startTexts,
  ...studyTexts,
  ...listTexts,
  ...tryFileTexts,
  sentences,
  nameOfLanguage: 'Deutsch',
  device: (name) => name.replace(' on ', ' unter '),

  frame: {
    skip: 'Zum Inhalt springen',
    sandbox: 'Sandbox',
    sandboxNotice: 'Dies ist eine Sandbox: Nichts hier ist echt.',
    sandboxNoticeWithMail:
      'Dies ist eine Sandbox: Nichts hier ist echt, und es werden keine E-Mails verschickt.',
    openMailbox: 'Postfach öffnen',
    pages: 'Seiten',
    dashboard: 'Dashboard',
    tryFile: 'Datei prüfen',
    account: 'Konto',
    reference: 'Referenz',
    signIn: 'Anmelden',
    signOut: 'Abmelden',
    project: (name) => `Projekt: ${name}`,
    chooseProject: 'Projekt: auswählen',
    help: 'Hilfe',
    apiReference: 'API-Referenz',
    openApi: 'OpenAPI-Dokument',
    contact: 'Kontakt',
  },

  problem: {
    title: titleOfProblem,
    tryAgainIn: (seconds) => `Versuchen Sie es ${waitInWords(seconds)} noch einmal.`,
    notYourFault:
      'Das liegt nicht an Ihnen. Versuchen Sie es gleich noch einmal. Wenn es wieder geschieht, melden Sie es denen, die diesen Dienst betreiben.',
    tryAgain: 'Noch einmal versuchen',
    startPage: 'Startseite',
    errorAndRequest: (status, requestId) => (
      <>
        Fehler {status}, Anfrage <code>{requestId}</code>
      </>
    ),
    words: {
      route_not_found: {
        title: 'Seite nicht gefunden',
        detail:
          'Unter dieser Adresse gibt es keine Seite. Vielleicht enthält sie einen Tippfehler, oder sie ist nicht für einen Browser gedacht.',
      },
      insufficient_scope: {
        title: 'Kein Zugang',
        detail: 'Ihr Konto darf dies nicht sehen oder tun. Bitten Sie die Studienleitung um Zugang.',
      },
      method_not_allowed: {
        title: 'Diese Seite lässt sich nicht öffnen',
        detail:
          'Hierher führt nur ein Formular. Gehen Sie zurück zu dessen Seite, und senden Sie es noch einmal ab.',
      },
      recent_sign_in_required: {
        title: 'Melden Sie sich zuerst neu an',
        detail:
          'Dafür darf Ihre Anmeldung höchstens ein paar Minuten alt sein. Melden Sie sich ab und wieder an, und versuchen Sie es noch einmal.',
      },
    },
    noDashboard: {
      title: 'Hier gibt es kein Dashboard',
      detail:
        'Das Dashboard ist für Personen, die sich anmelden, und dieser Dienst hat keine Anmeldung. Wer ihn betreibt, kann sie einrichten: APPWRITE_ENDPOINT.',
    },
  },
};

function waitInWords(seconds: number): string {
  if (seconds <= 1) return 'in einer Sekunde';
  if (seconds < 120) return `in ${counted(Math.ceil(seconds), 'Sekunde', 'Sekunden')}`;
  if (seconds < 7200) return `in ${counted(Math.ceil(seconds / 60), 'Minute', 'Minuten')}`;
  return `in ${counted(Math.ceil(seconds / 3600), 'Stunde', 'Stunden')}`;
}
