import type { Request } from 'express';
import { cookiesOf } from '../../http/express-cookies.js';
import { de } from './de.js';
import { en, type Texts } from './en.js';

/** The languages of the pages, the default first. */
export const LANGUAGES = { en, de } satisfies Record<string, Texts>;

export type Language = keyof typeof LANGUAGES;

/** The cookie with the language that a reader has chosen. */
export const LANGUAGE_COOKIE = 'crf_language';

export function isLanguage(text: unknown): text is Language {
  return typeof text === 'string' && Object.hasOwn(LANGUAGES, text);
}

/** Returns the language that the reader has chosen, or else the one that their browser asks for (LANG-01). */
export function languageOf(request: Request): Language {
  return askedLanguageOf(request) ?? 'en';
}

/** Returns the same; undefined if a program asks for none. */
export function askedLanguageOf(request: Request): Language | undefined {
  const chosen = cookiesOf(request).get(LANGUAGE_COOKIE);
  if (isLanguage(chosen)) return chosen;
  if (request.headers['accept-language'] === undefined) return undefined;
  const accepted = request.acceptsLanguages(Object.keys(LANGUAGES));
  return isLanguage(accepted) ? accepted : undefined;
}
