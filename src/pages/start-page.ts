import { html } from './html.js';
import { layout } from './layout.js';

/** What a person can go on to. */
export interface StartOptions {
  readonly hasReference: boolean;
  readonly hasSignIn: boolean;
  readonly isSandbox: boolean;
}

/** What stands at `/`, for the person who types the address of the service into a browser. */
export function startPage({ hasReference, hasSignIn, isSandbox }: StartOptions): string {
  return layout(
    'Welcome',
    html`<p>This service gives access to a REDCap project.</p>
      <ul>
        ${
          hasReference &&
          html`<li>
              <a href="/docs">Reference</a>: every route of the API, each of which can be tried there
            </li>
            <li><a href="/openapi.json">OpenAPI document</a>: the same, for programs</li>`
        }
        ${hasSignIn && html`<li><a href="/dashboard">Dashboard</a>: sign in with your email address</li>`}
      </ul>`,
    { isSandbox: isSandbox && hasSignIn },
  );
}
