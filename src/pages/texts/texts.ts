import type { Request, Response } from 'express';
import { cookiesOf } from '../../http/express-cookies.js';
import { frameTexts } from './frame.js';
import { ENGLISH, GERMAN, type InLanguage } from './in-language.js';
import { listTexts } from './lists.js';
import { ENGLISH_SENTENCES, GERMAN_SENTENCES } from './sentences.js';
import { signInTexts } from './sign-in.js';
import { startTexts } from './start.js';
import { studyTexts } from './study.js';
import { tryFileTexts } from './try-file.js';

/** All texts in a language. A text is a whole sentence; the German ones are in the words of REDCap’s German users. */
const textsOf = (language: InLanguage) => ({
  ...language,
  ...frameTexts(language),
  ...signInTexts(language),
  ...startTexts(language),
  ...studyTexts(language),
  ...listTexts(language),
  ...tryFileTexts(language),
  sentences: language.t(ENGLISH_SENTENCES, GERMAN_SENTENCES),
});

/** The texts of a language. */
export type Texts = ReturnType<typeof textsOf>;

/** The languages of the pages, the default first. */
export const LANGUAGES = { en: textsOf(ENGLISH), de: textsOf(GERMAN) };

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

/** The texts by language and time zone. Zones are configured: there are a few. */
const inZones = new Map<string, Texts>();

/**
 * Returns the texts of a language.
 *
 * @param timeZone that of the times in them, such as `Europe/Paris`; undefined for UTC
 */
export function textsIn(language: Language, timeZone: string | undefined): Texts {
  const texts = LANGUAGES[language];
  if (timeZone === undefined) return texts;
  const key = `${language} ${timeZone}`;
  const known = inZones.get(key) ?? { ...texts, ...texts.timesIn(timeZone) };
  inZones.set(key, known);
  return known;
}
