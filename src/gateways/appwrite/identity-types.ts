/** The outcome of a request for a sign-in link. */
export type LinkRequestOutcome =
  | {
      readonly kind: 'accepted';
      readonly tokenId: string;
      /** The account that the link belongs to. Never part of an answer: it tells whether the address is known (AUTH-02). */
      readonly userId: string;
      /** A few words that also appear in the email, by which the person recognises it. Empty if there are none. */
      readonly phrase: string;
      /** SHA-256 of the link's secret, hexadecimal. It identifies a link but cannot be used to sign in. */
      readonly fingerprint: string;
    }
  /** An account rule prevents it: a quota, an address policy, or an address that belongs to another account. */
  | { readonly kind: 'declined' }
  /** Appwrite rejects the address as malformed. */
  | { readonly kind: 'malformed-address' }
  /** The user id may belong to another address, in which case Appwrite answers with an unspecific 500. */
  | { readonly kind: 'maybe-id-taken' };

export interface LinkRequest {
  /** For a new account. Ignored for a known address. */
  readonly userId: string;
  readonly email: string;
  /** The page that the link leads to. */
  readonly url: string;
  readonly userAgent?: string | undefined;
  /** The language of the mail, such as `de`. */
  readonly language?: string | undefined;
}

/**
 * A newly opened session. Its secret is a bearer credential for the person's whole account, so it is only kept in
 * memory.
 */
export interface OpenedSession {
  readonly id: string;
  readonly userId: string;
  readonly secret: string;
  /** ISO 8601, as written by Appwrite. */
  readonly expire: string;
}

export interface IdentityAccount {
  readonly id: string;
  readonly email: string;
  readonly isEnabled: boolean;
  readonly isEmailVerified: boolean;
}

/** The account that a session belongs to, or why it belongs to none. */
export type AccountLookup =
  | { readonly kind: 'active'; readonly account: IdentityAccount }
  | { readonly kind: 'no-session' | 'blocked' | 'more-factors-required' };

/** A session in the list of a person's sessions, without its secret. */
export interface IdentitySession {
  readonly id: string;
  readonly isCurrent: boolean;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601. */
  readonly expire: string;
  readonly clientName: string;
  readonly osName: string;
  readonly countryName: string;
}

/** The scopes our API key needs. */
export const KEY_SCOPES = ['sessions.write', 'users.read', 'users.write'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];
