import type { Child } from 'hono/jsx';
import type { InLanguage } from './in-language.js';

/** The texts of the sign-in and the account. */
export const signInTexts = ({ t }: InLanguage) => ({
  signIn: {
    title: t('Sign in', 'Anmelden'),
    lead: t(
      'Enter your email address. You will get a link that signs you in: there is no password.',
      'Geben Sie Ihre E-Mail-Adresse ein. Sie erhalten einen Link, der Sie anmeldet: Ein Passwort gibt es nicht.',
    ),
    email: t('Email address', 'E-Mail-Adresse'),
    sandboxAddress: t(
      'On the sandbox, any address at example.org works.',
      'In der Sandbox funktioniert jede Adresse bei example.org.',
    ),
    send: t('Send me a link', 'Link zusenden'),
    domainNotAllowed: t(
      'Addresses of this domain cannot sign in. Use the address that the study knows.',
      'Adressen dieser Domain können sich nicht anmelden. Verwenden Sie die Adresse, die der Studie bekannt ist.',
    ),
    domainsAllowed: (domains: string) =>
      t(
        `Addresses of this domain cannot sign in. Use an address at one of these: ${domains}.`,
        `Adressen dieser Domain können sich nicht anmelden. Verwenden Sie eine Adresse bei: ${domains}.`,
      ),
    notAnAddress: t(
      'This is not an email address. Write it as in name@example.org.',
      'Das ist keine E-Mail-Adresse. Schreiben Sie sie wie name@example.org.',
    ),
  },

  checkMail: {
    title: t('Check your mail', 'Sehen Sie in Ihrem Postfach nach'),
    lead: t(
      'If the address can sign in here, a link is on its way to it. The link works once, for ten minutes.',
      'Wenn sich die Adresse hier anmelden kann, ist ein Link zu ihr unterwegs. Er gilt einmal und zehn Minuten lang.',
    ),
    phrase: (phrase: string) =>
      t(
        <>
          The mail shows the words <strong>{phrase}</strong>. If a mail shows other words, somebody else
          requested it: do not use its link.
        </>,
        <>
          In der E-Mail stehen die Wörter <strong>{phrase}</strong>. Enthält eine E-Mail andere Wörter, hat
          jemand anderes sie angefordert: Verwenden Sie deren Link nicht.
        </>,
      ),
    openMailbox: t('Open the mailbox of the sandbox', 'Postfach der Sandbox öffnen'),
    noMail: t(
      <>
        No mail? Check your spam folder, or <a href="/login">ask for another link</a>.
      </>,
      <>
        Keine E-Mail? Sehen Sie im Spam-Ordner nach, oder <a href="/login">fordern Sie einen neuen Link an</a>
        .
      </>,
    ),
    otherDevice: t('Mail on another device?', 'E-Mail auf einem anderen Gerät?'),
    getCodeThere: t(
      'Open the link there, choose “Get a code”, and type the code here.',
      'Öffnen Sie dort den Link, wählen Sie „Code anzeigen“, und geben Sie den Code hier ein.',
    ),
    code: 'Code',
    signInHere: t('Sign in here', 'Hier anmelden'),
    wrongCode: t(
      'This code is not valid here. Type it exactly as shown, or ask for a new link.',
      'Dieser Code gilt hier nicht. Geben Sie ihn genau so ein, wie er angezeigt wird, oder fordern Sie einen neuen Link an.',
    ),
  },

  code: {
    title: t('Your code', 'Ihr Code'),
    typeIt: (device: string, askedAt: string, phrase: string) =>
      t(
        <>
          Type it on {deviceThatAsked({ t }, device, askedAt, phrase)}, into the page “Check your mail”.
          Whoever types it there is signed in as you.
        </>,
        <>
          Geben Sie ihn auf {deviceThatAsked({ t }, device, askedAt, phrase)} auf der Seite „Sehen Sie in
          Ihrem Postfach nach“ ein. Wer ihn dort eingibt, ist unter Ihrem Namen angemeldet.
        </>,
      ),
    warning: t(
      'Never tell anyone this code: no study and no support team needs it. If that device is not in front of you, or shows other words, close this page.',
      'Nennen Sie diesen Code niemandem: Keine Studie und kein Support braucht ihn. Wenn Sie jenes Gerät nicht vor sich haben oder es andere Wörter zeigt, schließen Sie diese Seite.',
    ),
    validity: t(
      'The code is valid as long as the link. After five wrong codes neither works.',
      'Der Code gilt so lange wie der Link. Nach fünf falschen Codes gilt keiner von beiden mehr.',
    ),
  },

  confirm: {
    title: t('Confirm your sign-in', 'Anmeldung bestätigen'),
    press: t(
      'Press the button to sign in on this device.',
      'Mit der Schaltfläche melden Sie sich auf diesem Gerät an.',
    ),
    signIn: t('Sign in', 'Anmelden'),
    otherAccount: (account: string | undefined) =>
      t(
        <>
          You are signed in with another account. This link is for{' '}
          <strong>{account ?? 'a different account'}</strong>: the button signs you in there and ends your
          current session.
        </>,
        <>
          Sie sind mit einem anderen Konto angemeldet. Dieser Link ist für{' '}
          <strong>{account ?? 'ein anderes Konto'}</strong>: Die Schaltfläche meldet Sie dort an und beendet
          Ihre jetzige Sitzung.
        </>,
      ),
    notAsked: t(
      'You did not ask for this? Close the page: nothing has changed.',
      'Sie haben das nicht angefordert? Schließen Sie die Seite: Es hat sich nichts geändert.',
    ),
    otherDevice: t('Sign in on the other device instead?', 'Lieber auf dem anderen Gerät anmelden?'),
    getCodeFor: (device: string, askedAt: string, phrase: string) =>
      t(
        <>
          Get a code, and type it on {deviceThatAsked({ t }, device, askedAt, phrase)}. Do so only if that
          device is in front of you.
        </>,
        <>
          Lassen Sie sich einen Code anzeigen, und geben Sie ihn auf{' '}
          {deviceThatAsked({ t }, device, askedAt, phrase)} ein. Tun Sie das nur, wenn Sie dieses Gerät vor
          sich haben.
        </>,
      ),
    getCode: t('Get a code', 'Code anzeigen'),
  },

  linkNotValid: {
    title: t('This link cannot be used', 'Dieser Link gilt nicht'),
    lead: t(
      'A sign-in link works once, within ten minutes, and only exactly as it was sent.',
      'Ein Anmeldelink gilt einmal, zehn Minuten lang, und nur genau so, wie er verschickt wurde.',
    ),
    askAgain: t('Ask for a new link', 'Neuen Link anfordern'),
    whoToAsk: t(
      'New links do not work either? Ask whoever runs the study whether you may sign in.',
      'Neue Links gelten auch nicht? Fragen Sie die Studienleitung, ob Sie sich anmelden dürfen.',
    ),
  },

  signedOut: {
    title: t('You are signed out', 'Sie sind abgemeldet'),
    lead: t('Your session on this device has ended.', 'Ihre Sitzung auf diesem Gerät ist beendet.'),
    signInAgain: t('Sign in again', 'Wieder anmelden'),
  },

  account: {
    title: t('Your account', 'Ihr Konto'),
    signedInAs: t('Signed in as', 'Angemeldet als'),
    userId: t('User id', 'Benutzer-ID'),
    until: t('Until', 'Bis'),
    sessions: t('Your sessions', 'Ihre Sitzungen'),
    aboutSessions: t(
      'A session is one browser that is signed in. End any that you do not recognize.',
      'Eine Sitzung ist ein Browser, der angemeldet ist. Beenden Sie jede, die Sie nicht wiedererkennen.',
    ),
    unknownDevice: t('Unknown device', 'Unbekanntes Gerät'),
    thisOne: t('(this one)', '(diese hier)'),
    sinceUntil: (since: Child, until: Child) =>
      t(
        <>
          since {since}, until {until}
        </>,
        <>
          seit {since}, bis {until}
        </>,
      ),
    endSession: t('End this session', 'Diese Sitzung beenden'),
    data: t('Your data', 'Ihre Daten'),
    downloadData: t('Download my data', 'Meine Daten herunterladen'),
    deleteAccount: t('Delete my account', 'Mein Konto löschen'),
    deleteAccountLink: t('Delete my account …', 'Mein Konto löschen …'),
    deleteWarning: (email: string) =>
      t(
        <>
          This deletes the sign-in account of <strong>{email}</strong> and ends all its sessions. It cannot be
          undone.
        </>,
        <>
          Das Anmeldekonto von <strong>{email}</strong> wird gelöscht, und alle seine Sitzungen enden. Das
          lässt sich nicht rückgängig machen.
        </>,
      ),
    studyStays: t(
      'The study’s data in REDCap stays as it is.',
      'Die Daten der Studie in REDCap bleiben, wie sie sind.',
    ),
    keep: t('Keep it', 'Behalten'),
  },
});

/** @returns the device that asked for a link, in the third case of German */
function deviceThatAsked({ t }: Pick<InLanguage, 't'>, device: string, askedAt: string, phrase: string) {
  return t(
    <>
      the device{' '}
      {device !== '' && (
        <>
          with <strong>{device}</strong>{' '}
        </>
      )}
      that asked for the link at {askedAt}
      {phrase !== '' && (
        <>
          {' '}
          and shows the words <strong>{phrase}</strong>
        </>
      )}
    </>,
    <>
      dem Gerät
      {device !== '' && (
        <>
          {' '}
          mit <strong>{device}</strong>
        </>
      )}
      , das den Link um {askedAt} angefordert hat
      {phrase !== '' && (
        <>
          {' '}
          und die Wörter <strong>{phrase}</strong> zeigt
        </>
      )}
      ,
    </>,
  );
}
