import type { Request, Response } from 'express';
import { cookiesOf } from '../../http/express-cookies.js';
import { de } from './de.js';
import { en, type Texts } from './en.js';

/** The languages of the pages, the default first. */
export const LANGUAGES = { en, de } satisfies Record<string, Texts>;

export type Language = keyof typeof LANGUAGES;

/** The cookie with the language that a reader has chosen. */
const LANGUAGE_COOKIE = 'crf_language';
const YEAR_MS = 365 * 24 * 3_600_000;

export function isLanguage(text: unknown): text is Language {
  return typeof text === 'string' && Object.hasOwn(LANGUAGES, text);
}

/** Remembers the choice of a reader, for a year. */
export function keepLanguage(request: Request, response: Response, language: Language): void {
  response.cookie(LANGUAGE_COOKIE, language, {
    httpOnly: true,
    sameSite: 'lax',
    secure: request.secure,
    maxAge: YEAR_MS,
  });
}

/** Returns the language that the reader has chosen; undefined if they have chosen none. */
export function chosenLanguageOf(request: Request): Language | undefined {
  const chosen = cookiesOf(request).get(LANGUAGE_COOKIE);
  return isLanguage(chosen) ? chosen : undefined;
}

/** Returns the language that the reader has chosen, or else the one that their browser asks for (LANG-01). */
export function languageOf(request: Request): Language {
  return askedLanguageOf(request) ?? 'en';
}

/** Returns the same; undefined if a program asks for none. */
export function askedLanguageOf(request: Request): Language | undefined {
  const chosen = chosenLanguageOf(request);
  if (chosen !== undefined) return chosen;
  if (request.headers['accept-language'] === undefined) return undefined;
  const accepted = request.acceptsLanguages(Object.keys(LANGUAGES));
  return isLanguage(accepted) ? accepted : undefined;
}
