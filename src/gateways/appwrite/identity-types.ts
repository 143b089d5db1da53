/** What became of a request for a link. */
export type LinkRequestOutcome =
  | {
      readonly kind: 'accepted';
      readonly tokenId: string;
      /** Some words that stand in the mail as well: whoever asked knows the mail by them. Empty when there are none. */
      readonly phrase: string;
      /** SHA-256 of the link's secret, hexadecimal: identifies a link, and cannot be used to sign in. */
      readonly fingerprint: string;
    }
  /** A rule about accounts stands against it: a quota, an address policy, an address of another account. */
  | { readonly kind: 'declined' }
  /** Appwrite's own check of the address refuses it. */
  | { readonly kind: 'malformed-address' }
  /** Maybe the user id belongs to another address: Appwrite answers an unspecific 500 then. */
  | { readonly kind: 'maybe-id-taken' };

export interface LinkRequest {
  /** For a new account; ignored for a known address. */
  readonly userId: string;
  readonly email: string;
  /** Where the link leads. */
  readonly url: string;
  readonly userAgent?: string | undefined;
}

/** A session just opened. Its secret is a bearer credential for the person's whole account: it stays in memory. */
export interface OpenedSession {
  readonly id: string;
  readonly userId: string;
  readonly secret: string;
  /** ISO 8601, as Appwrite writes it. */
  readonly expire: string;
}

export interface IdentityAccount {
  readonly id: string;
  readonly email: string;
  readonly isEnabled: boolean;
  readonly isEmailVerified: boolean;
}

/** Whose session it is, or why it is nobody's. */
export type AccountLookup =
  | { readonly kind: 'active'; readonly account: IdentityAccount }
  | { readonly kind: 'no-session' | 'blocked' | 'more-factors-required' };

/** A session in the list of its person; without its secret. */
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
