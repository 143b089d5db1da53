import { PROBLEMS, type ProblemCode } from '../../domain/errors/problem-table.js';
import { GERMAN_TITLES } from './german-titles.js';
import type { InLanguage } from './in-language.js';

/** The texts around every page, and those of errors. */
export const frameTexts = ({ t, counted }: InLanguage) => ({
  nameOfLanguage: t('English', 'Deutsch'),
  /** Returns the name of a device, `Firefox on Linux`, as `deviceName` composes it. */
  device: (name: string) => t(name, name.replace(' on ', ' unter ')),

  frame: {
    skip: t('Skip to the content', 'Zum Inhalt springen'),
    sandbox: 'Sandbox',
    sandboxNotice: t(
      'This is a sandbox: nothing here is real.',
      'Dies ist eine Sandbox: Nichts hier ist echt.',
    ),
    sandboxNoticeWithMail: t(
      'This is a sandbox: nothing here is real, and no mail is sent.',
      'Dies ist eine Sandbox: Nichts hier ist echt, und es werden keine E-Mails verschickt.',
    ),
    openMailbox: t('Open the mailbox', 'Postfach öffnen'),
    pages: t('Pages', 'Seiten'),
    dashboard: 'Dashboard',
    tryFile: t('Try a file', 'Datei prüfen'),
    account: t('Account', 'Konto'),
    reference: t('Reference', 'Referenz'),
    signIn: t('Sign in', 'Anmelden'),
    signOut: t('Sign out', 'Abmelden'),
    project: (name: string) => t(`Project: ${name}`, `Projekt: ${name}`),
    chooseProject: t('Project: choose', 'Projekt: auswählen'),
    help: t('Help', 'Hilfe'),
    apiReference: t('API reference', 'API-Referenz'),
    openApi: t('OpenAPI document', 'OpenAPI-Dokument'),
    contact: t('Contact', 'Kontakt'),
  },

  problem: {
    title: (code: ProblemCode): string => t(PROBLEMS[code].title, GERMAN_TITLES[code]),
    tryAgainIn: (seconds: number) => {
      const wait = waitInWords(seconds, { t, counted });
      return t(`Try again ${wait}.`, `Versuchen Sie es ${wait} noch einmal.`);
    },
    notYourFault: t(
      'This is not your fault. Try again in a moment. If it happens again, tell whoever runs this service.',
      'Das liegt nicht an Ihnen. Versuchen Sie es gleich noch einmal. Wenn es wieder geschieht, melden Sie es denen, die diesen Dienst betreiben.',
    ),
    tryAgain: t('Try again', 'Noch einmal versuchen'),
    startPage: t('Start page', 'Startseite'),
    errorAndRequest: (status: number, requestId: string) =>
      t(
        <>
          Error {status}, request <code>{requestId}</code>
        </>,
        <>
          Fehler {status}, Anfrage <code>{requestId}</code>
        </>,
      ),
    /** What takes the place of the message that programs get. */
    words: {
      route_not_found: {
        title: t('Page not found', 'Seite nicht gefunden'),
        detail: t(
          'There is no page at this address. It may be mistyped, or not meant for a browser.',
          'Unter dieser Adresse gibt es keine Seite. Vielleicht enthält sie einen Tippfehler, oder sie ist nicht für einen Browser gedacht.',
        ),
      },
      insufficient_scope: {
        title: t('No access', 'Kein Zugang'),
        detail: t(
          'Your account may not see or do this. Ask whoever runs the study for access.',
          'Ihr Konto darf dies nicht sehen oder tun. Bitten Sie die Studienleitung um Zugang.',
        ),
      },
      method_not_allowed: {
        title: t('This page cannot be opened', 'Diese Seite lässt sich nicht öffnen'),
        detail: t(
          'Only a form leads here. Go back to the page of the form, and send it again.',
          'Hierher führt nur ein Formular. Gehen Sie zurück zu dessen Seite, und senden Sie es noch einmal ab.',
        ),
      },
      recent_sign_in_required: {
        title: t('Sign in again first', 'Melden Sie sich zuerst neu an'),
        detail: t(
          'For this, your sign-in must be a few minutes old at most. Sign out, sign in, and try again.',
          'Dafür darf Ihre Anmeldung höchstens ein paar Minuten alt sein. Melden Sie sich ab und wieder an, und versuchen Sie es noch einmal.',
        ),
      },
    },
    noSignIn: {
      title: t('No sign-in here', 'Hier gibt es keine Anmeldung'),
      detail: t(
        'This service has no sign-in. Whoever runs it can set one up, as docs/sign-in.md says (APPWRITE_ENDPOINT).',
        'Dieser Dienst hat keine Anmeldung. Wer ihn betreibt, kann sie einrichten, wie docs/sign-in.md sagt (APPWRITE_ENDPOINT).',
      ),
    },
    noDashboard: {
      title: t('No dashboard here', 'Hier gibt es kein Dashboard'),
      detail: t(
        'The dashboard is for people who sign in, and this service has no sign-in. Whoever runs it can set one up, as docs/sign-in.md says (APPWRITE_ENDPOINT).',
        'Das Dashboard ist für Personen, die sich anmelden, und dieser Dienst hat keine Anmeldung. Wer ihn betreibt, kann sie einrichten, wie docs/sign-in.md sagt (APPWRITE_ENDPOINT).',
      ),
    },
  },
});

function waitInWords(seconds: number, { t, counted }: Pick<InLanguage, 't' | 'counted'>): string {
  if (seconds <= 1) return t('in a second', 'in einer Sekunde');
  if (seconds < 120)
    return `in ${counted(Math.ceil(seconds), t('second', 'Sekunde'), t('seconds', 'Sekunden'))}`;
  if (seconds < 7200)
    return `in ${counted(Math.ceil(seconds / 60), t('minute', 'Minute'), t('minutes', 'Minuten'))}`;
  return `in ${counted(Math.ceil(seconds / 3600), t('hour', 'Stunde'), t('hours', 'Stunden'))}`;
}
