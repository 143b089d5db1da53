import type { signInTexts as english } from './en-sign-in.js';

/** The German texts of the sign-in and the account. */
export const signInTexts: typeof english = {
  signIn: {
    title: 'Anmelden',
    lead: 'Geben Sie Ihre E-Mail-Adresse ein. Sie erhalten einen Link, der Sie anmeldet: Ein Passwort gibt es nicht.',
    email: 'E-Mail-Adresse',
    sandboxAddress: 'In der Sandbox funktioniert jede Adresse bei example.org.',
    send: 'Link zusenden',
    domainNotAllowed:
      'Adressen dieser Domain können sich nicht anmelden. Verwenden Sie die Adresse, die der Studie bekannt ist.',
    domainsAllowed: (domains) =>
      `Adressen dieser Domain können sich nicht anmelden. Verwenden Sie eine Adresse bei: ${domains}.`,
    notAnAddress: 'Das ist keine E-Mail-Adresse. Schreiben Sie sie wie name@example.org.',
  },

  checkMail: {
    title: 'Sehen Sie in Ihrem Postfach nach',
    lead: 'Wenn sich die Adresse hier anmelden kann, ist ein Link zu ihr unterwegs. Er gilt einmal und zehn Minuten lang.',
    phrase: (phrase) => (
      <>
        In der E-Mail stehen die Wörter <strong>{phrase}</strong>. Enthält eine E-Mail andere Wörter, hat
        jemand anderes sie angefordert: Verwenden Sie deren Link nicht.
      </>
    ),
    openMailbox: 'Postfach der Sandbox öffnen',
    noMail: (
      <>
        Keine E-Mail? Sehen Sie im Spam-Ordner nach, oder <a href="/login">fordern Sie einen neuen Link an</a>
        .
      </>
    ),
    otherDevice: 'E-Mail auf einem anderen Gerät?',
    getCodeThere: 'Öffnen Sie dort den Link, wählen Sie „Code anzeigen“, und geben Sie den Code hier ein.',
    code: 'Code',
    signInHere: 'Hier anmelden',
    wrongCode:
      'Dieser Code gilt hier nicht. Geben Sie ihn genau so ein, wie er angezeigt wird, oder fordern Sie einen neuen Link an.',
  },

  code: {
    title: 'Ihr Code',
    typeIt: (device, askedAt, phrase) => (
      <>
        Geben Sie ihn auf {deviceThatAsked(device, askedAt, phrase)} auf der Seite „Sehen Sie in Ihrem
        Postfach nach“ ein. Wer ihn dort eingibt, ist unter Ihrem Namen angemeldet.
      </>
    ),
    warning:
      'Nennen Sie diesen Code niemandem: Keine Studie und kein Support braucht ihn. Wenn Sie jenes Gerät nicht vor sich haben oder es andere Wörter zeigt, schließen Sie diese Seite.',
    validity: 'Der Code gilt so lange wie der Link. Nach fünf falschen Codes gilt keiner von beiden mehr.',
  },

  confirm: {
    title: 'Anmeldung bestätigen',
    press: 'Mit der Schaltfläche melden Sie sich auf diesem Gerät an.',
    signIn: 'Anmelden',
    otherAccount: (account) => (
      <>
        Sie sind mit einem anderen Konto angemeldet. Dieser Link ist für{' '}
        <strong>{account ?? 'ein anderes Konto'}</strong>: Die Schaltfläche meldet Sie dort an und beendet
        Ihre jetzige Sitzung.
      </>
    ),
    notAsked: 'Sie haben das nicht angefordert? Schließen Sie die Seite: Es hat sich nichts geändert.',
    otherDevice: 'Lieber auf dem anderen Gerät anmelden?',
    getCodeFor: (device, askedAt, phrase) => (
      <>
        Lassen Sie sich einen Code anzeigen, und geben Sie ihn auf {deviceThatAsked(device, askedAt, phrase)}{' '}
        ein. Tun Sie das nur, wenn Sie dieses Gerät vor sich haben.
      </>
    ),
    getCode: 'Code anzeigen',
  },

  linkNotValid: {
    title: 'Dieser Link gilt nicht',
    lead: 'Ein Anmeldelink gilt einmal, zehn Minuten lang, und nur genau so, wie er verschickt wurde.',
    askAgain: 'Neuen Link anfordern',
    whoToAsk: 'Neue Links gelten auch nicht? Fragen Sie die Studienleitung, ob Sie sich anmelden dürfen.',
  },

  signedOut: {
    title: 'Sie sind abgemeldet',
    lead: 'Ihre Sitzung auf diesem Gerät ist beendet.',
    signInAgain: 'Wieder anmelden',
  },

  account: {
    title: 'Ihr Konto',
    signedInAs: 'Angemeldet als',
    userId: 'Benutzer-ID',
    until: 'Bis',
    sessions: 'Ihre Sitzungen',
    aboutSessions:
      'Eine Sitzung ist ein Browser, der angemeldet ist. Beenden Sie jede, die Sie nicht wiedererkennen.',
    unknownDevice: 'Unbekanntes Gerät',
    thisOne: '(diese hier)',
    sinceUntil: (since, until) => (
      <>
        seit {since}, bis {until}
      </>
    ),
    endSession: 'Diese Sitzung beenden',
    data: 'Ihre Daten',
    downloadData: 'Meine Daten herunterladen',
    deleteAccount: 'Mein Konto löschen',
    deleteAccountLink: 'Mein Konto löschen …',
    deleteWarning: (email) => (
      <>
        Das Anmeldekonto von <strong>{email}</strong> wird gelöscht, und alle seine Sitzungen enden. Das lässt
        sich nicht rückgängig machen.
      </>
    ),
    studyStays: 'Die Daten der Studie in REDCap bleiben, wie sie sind.',
    keep: 'Behalten',
  },
};

function deviceThatAsked(device: string, askedAt: string, phrase: string) {
  return (
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
    </>
  );
}
