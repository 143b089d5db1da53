import { PROBLEMS, type ProblemCode } from '../../domain/errors/problem-table.js';
import { ENGLISH as words } from './in-language.js';
import { listTexts } from './en-lists.js';
import { sentences } from './en-sentences.js';
import { signInTexts } from './en-sign-in.js';
import { startTexts } from './en-start.js';
import { studyTexts } from './en-study.js';
import { tryFileTexts } from './en-try-file.js';

const { counted } = words;

/** The English texts, whose keys and parameters are those of every language. A text is a whole sentence. */
export const en = {
  ...words,
  ...signInTexts,
  ...startTexts,
  ...studyTexts,
  ...listTexts,
  ...tryFileTexts,
  sentences,
  nameOfLanguage: 'English',
  /** Returns the name of a device, `Firefox on Linux`, as `deviceName` composes it. */
  device: (name: string) => name,

  frame: {
    skip: 'Skip to the content',
    sandbox: 'Sandbox',
    sandboxNotice: 'This is a sandbox: nothing here is real.',
    sandboxNoticeWithMail: 'This is a sandbox: nothing here is real, and no mail is sent.',
    openMailbox: 'Open the mailbox',
    pages: 'Pages',
    dashboard: 'Dashboard',
    tryFile: 'Try a file',
    account: 'Account',
    reference: 'Reference',
    signIn: 'Sign in',
    signOut: 'Sign out',
    project: (name: string) => `Project: ${name}`,
    chooseProject: 'Project: choose',
    help: 'Help',
    apiReference: 'API reference',
    openApi: 'OpenAPI document',
    contact: 'Contact',
  },

  problem: {
    title: (code: ProblemCode): string => PROBLEMS[code].title,
    tryAgainIn: (seconds: number) => `Try again ${waitInWords(seconds)}.`,
    notYourFault:
      'This is not your fault. Try again in a moment. If it happens again, tell whoever runs this service.',
    tryAgain: 'Try again',
    startPage: 'Start page',
    errorAndRequest: (status: number, requestId: string) => (
      <>
        Error {status}, request <code>{requestId}</code>
      </>
    ),
    /** What takes the place of the message that programs get. */
    words: {
      route_not_found: {
        title: 'Page not found',
        detail: 'There is no page at this address. It may be mistyped, or not meant for a browser.',
      },
      insufficient_scope: {
        title: 'No access',
        detail: 'Your account may not see or do this. Ask whoever runs the study for access.',
      },
      method_not_allowed: {
        title: 'This page cannot be opened',
        detail: 'Only a form leads here. Go back to the page of the form, and send it again.',
      },
      recent_sign_in_required: {
        title: 'Sign in again first',
        detail: 'For this, your sign-in must be a few minutes old at most. Sign out, sign in, and try again.',
      },
    },
    noDashboard: {
      title: 'No dashboard here',
      detail:
        'The dashboard is for people who sign in, and this service has no sign-in. Whoever runs it can set one up: APPWRITE_ENDPOINT.',
    },
  },
};

/** The texts of a language. */
export type Texts = typeof en;

function waitInWords(seconds: number): string {
  if (seconds <= 1) return 'in a second';
  if (seconds < 120) return `in ${counted(Math.ceil(seconds), 'second', 'seconds')}`;
  if (seconds < 7200) return `in ${counted(Math.ceil(seconds / 60), 'minute', 'minutes')}`;
  return `in ${counted(Math.ceil(seconds / 3600), 'hour', 'hours')}`;
}
