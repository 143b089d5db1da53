import type { Child } from 'hono/jsx';

/** The texts of the sign-in and the account. */
export const signInTexts = {
  signIn: {
    title: 'Sign in',
    lead: 'Enter your email address. You will get a link that signs you in: there is no password.',
    email: 'Email address',
    sandboxAddress: 'On the sandbox, any address at example.org works.',
    send: 'Send me a link',
    domainNotAllowed: 'Addresses of this domain cannot sign in. Use the address that the study knows.',
    domainsAllowed: (domains: string) =>
      `Addresses of this domain cannot sign in. Use an address at one of these: ${domains}.`,
    notAnAddress: 'This is not an email address. Write it as in name@example.org.',
  },

  checkMail: {
    title: 'Check your mail',
    lead: 'If the address can sign in here, a link is on its way to it. The link works once, for ten minutes.',
    phrase: (phrase: string) => (
      <>
        The mail shows the words <strong>{phrase}</strong>. If a mail shows other words, somebody else
        requested it: do not use its link.
      </>
    ),
    openMailbox: 'Open the mailbox of the sandbox',
    noMail: (
      <>
        No mail? Check your spam folder, or <a href="/login">ask for another link</a>.
      </>
    ),
    otherDevice: 'Mail on another device?',
    getCodeThere: 'Open the link there, choose “Get a code”, and type the code here.',
    code: 'Code',
    signInHere: 'Sign in here',
    wrongCode: 'This code is not valid here. Type it exactly as shown, or ask for a new link.',
  },

  code: {
    title: 'Your code',
    typeIt: (device: string, askedAt: string, phrase: string) => (
      <>
        Type it on {deviceThatAsked(device, askedAt, phrase)}, into the page “Check your mail”. Whoever types
        it there is signed in as you.
      </>
    ),
    warning:
      'Never tell anyone this code: no study and no support team needs it. If that device is not in front of you, or shows other words, close this page.',
    validity: 'The code is valid as long as the link. After five wrong codes neither works.',
  },

  confirm: {
    title: 'Confirm your sign-in',
    press: 'Press the button to sign in on this device.',
    signIn: 'Sign in',
    otherAccount: (account: string | undefined) => (
      <>
        You are signed in with another account. This link is for{' '}
        <strong>{account ?? 'a different account'}</strong>: the button signs you in there and ends your
        current session.
      </>
    ),
    notAsked: 'You did not ask for this? Close the page: nothing has changed.',
    otherDevice: 'Sign in on the other device instead?',
    getCodeFor: (device: string, askedAt: string, phrase: string) => (
      <>
        Get a code, and type it on {deviceThatAsked(device, askedAt, phrase)}. Do so only if that device is in
        front of you.
      </>
    ),
    getCode: 'Get a code',
  },

  linkNotValid: {
    title: 'This link cannot be used',
    lead: 'A sign-in link works once, within ten minutes, and only exactly as it was sent.',
    askAgain: 'Ask for a new link',
    whoToAsk: 'New links do not work either? Ask whoever runs the study whether you may sign in.',
  },

  signedOut: {
    title: 'You are signed out',
    lead: 'Your session on this device has ended.',
    signInAgain: 'Sign in again',
  },

  account: {
    title: 'Your account',
    signedInAs: 'Signed in as',
    userId: 'User id',
    until: 'Until',
    sessions: 'Your sessions',
    aboutSessions: 'A session is one browser that is signed in. End any that you do not recognize.',
    unknownDevice: 'Unknown device',
    thisOne: '(this one)',
    sinceUntil: (since: Child, until: Child) => (
      <>
        since {since}, until {until}
      </>
    ),
    endSession: 'End this session',
    data: 'Your data',
    downloadData: 'Download my data',
    deleteAccount: 'Delete my account',
    deleteAccountLink: 'Delete my account …',
    deleteWarning: (email: string) => (
      <>
        This deletes the sign-in account of <strong>{email}</strong> and ends all its sessions. It cannot be
        undone.
      </>
    ),
    studyStays: 'The study’s data in REDCap stays as it is.',
    keep: 'Keep it',
  },
};

function deviceThatAsked(device: string, askedAt: string, phrase: string) {
  return (
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
    </>
  );
}
