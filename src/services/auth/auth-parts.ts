import type { AuthJournal } from './auth-event.js';
import type { AuthKeys } from './auth-keys.js';
import type { CheckedAuthConfig } from './auth-settings.js';
import type { BindingCookie } from './browser-cookies.js';
import type { LinkRequests } from './link-requests.js';
import type { LinkUses } from './link-uses.js';

/** What the operations of the authentication service share. */
export interface AuthParts extends CheckedAuthConfig {
  readonly keys: AuthKeys;
  readonly journal: AuthJournal;
  readonly binding: BindingCookie;
  readonly links: LinkUses;
  readonly requests: LinkRequests;
}
