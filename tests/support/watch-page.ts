import type { Page } from 'playwright-core';

/** Collects the problems of a page: console errors, exceptions and violations of its Content-Security-Policy. */
export function watchPage(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || /Content.Security.Policy/i.test(message.text()))
      complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  return complaints;
}
