/** Appwrite's responses that the gateway reads, with all or most of their documented fields. */

/** A secret that must appear only in the mail. */
export const LINK_SECRET = 'f00dfeed'.repeat(8);
export const API_KEY = `standard_${'ab12'.repeat(64)}`;

/** Returns a session secret in Appwrite's format: base64 of a small JSON object. */
export function sessionSecretOf(userId: string, sessionId = 's1'): string {
  const secret = `${sessionId}-`.padEnd(256, 'c0ffee');
  return Buffer.from(JSON.stringify({ id: userId, secret })).toString('base64');
}

export function tokenAnswer(userId = 'ada', secret = LINK_SECRET): object {
  return {
    $id: '6740a1f2c3d4e5f60718',
    $createdAt: '2026-11-20T20:00:00.123+00:00',
    userId,
    secret,
    expire: '2026-11-20T21:00:00.123+00:00',
    phrase: '',
  };
}

export function sessionAnswer(userId = 'ada', sessionId = 's1', more: object = {}): object {
  return {
    $id: sessionId,
    $createdAt: '2026-11-20T20:00:00.123+00:00',
    $updatedAt: '2026-11-20T20:00:00.123+00:00',
    userId,
    expire: '2027-11-20T20:00:00.123+00:00',
    provider: 'magic-url',
    providerUid: '',
    ip: '127.0.0.1',
    osName: 'Linux',
    clientName: 'Firefox',
    countryCode: '--',
    countryName: 'Unknown',
    current: true,
    factors: ['email'],
    secret: sessionSecretOf(userId, sessionId),
    ...more,
  };
}

export function accountAnswer(userId = 'ada', email = `${userId}@example.org`, more: object = {}): object {
  return {
    $id: userId,
    $createdAt: '2026-11-20T20:00:00.123+00:00',
    name: '',
    status: true,
    labels: [],
    email,
    phone: '',
    emailVerification: true,
    mfa: false,
    prefs: {},
    targets: [],
    ...more,
  };
}
