/**
 * Browsers in roughly Appwrite's detection. The first match wins, as Edge's user agent contains Chrome, and Chrome's
 * Safari.
 */
const BROWSERS: readonly (readonly [RegExp, string, string])[] = [
  [/Edg\/([\d.]+)/, 'Microsoft Edge', 'ED'],
  [/Firefox\/([\d.]+)/, 'Firefox', 'FF'],
  [/Chrome\/([\d.]+)/, 'Chrome', 'CH'],
  [/Version\/([\d.]+).*Safari/, 'Safari', 'SF'],
];

const SYSTEMS: readonly (readonly [RegExp, string, string])[] = [
  [/Windows NT/, 'Windows', 'WIN'],
  [/iPhone|iPad/, 'iOS', 'IOS'],
  [/Mac OS X/, 'Mac', 'MAC'],
  [/Android/, 'Android', 'AND'],
  [/Linux/, 'GNU/Linux', 'LIN'],
];

/** Returns the twelve fields of a session that describe its device. @see docs/protocol/appwrite.md 5.5 (source) */
export function describeUserAgent(userAgent: string): Record<string, string> {
  const [browser, clientName, clientCode] = BROWSERS.find(([pattern]) => pattern.test(userAgent)) ?? [];
  const [, osName, osCode] = SYSTEMS.find(([pattern]) => pattern.test(userAgent)) ?? [];
  return {
    osCode: osCode ?? '',
    osName: osName ?? '',
    osVersion: '',
    clientType: clientName === undefined ? '' : 'browser',
    clientCode: clientCode ?? '',
    clientName: clientName ?? '',
    clientVersion: browser?.exec(userAgent)?.[1] ?? '',
    clientEngine: '',
    clientEngineVersion: '',
    deviceName: osName === undefined ? '' : /Mobile|iPhone/.test(userAgent) ? 'smartphone' : 'desktop',
    deviceBrand: '',
    deviceModel: '',
  };
}
