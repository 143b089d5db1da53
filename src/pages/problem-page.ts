import { html } from './html.js';
import { layout } from './layout.js';

/** What a person is told when something goes wrong. */
export interface ProblemOnPage {
  readonly title: string;
  /** What is wrong, and what to do next; nothing when that is not theirs to know. */
  readonly detail: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly requestId: string;
}

/** Any problem, for a person, with the ways on that this service has. */
export function problemPage(
  { title, detail, retryAfterSeconds, requestId }: ProblemOnPage,
  options: { readonly isSandbox: boolean; readonly hasSignIn: boolean },
): string {
  return layout(
    title,
    html`${detail !== undefined && html`<p>${detail}</p>`}
      ${retryAfterSeconds !== undefined && html`<p>Try again ${waitInWords(retryAfterSeconds)}.</p>`}
      <p class="quiet">Request ${requestId}</p>
      ${options.hasSignIn && html`<p><a href="/login">Sign in</a> · <a href="/dashboard">Dashboard</a></p>`}`,
    { isSandbox: options.isSandbox && options.hasSignIn },
  );
}

/** @returns when, as people say it: `in 40 seconds`, `in 15 minutes`; never too early */
export function waitInWords(seconds: number): string {
  if (seconds <= 1) return 'in a second';
  if (seconds < 120) return `in ${Math.ceil(seconds)} seconds`;
  if (seconds < 7200) return `in ${Math.ceil(seconds / 60)} minutes`;
  return `in ${Math.ceil(seconds / 3600)} hours`;
}
