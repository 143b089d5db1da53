const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };

/** Returns the texts of the cells of every row of the tables of a page, without the heads of their columns. */
export function tableRows(page: string): string[][] {
  return [...page.matchAll(/<tbody[^>]*>(.*?)<\/tbody>/gs)].flatMap(([, body = '']) =>
    [...body.matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)].map(([, row = '']) =>
      [...row.matchAll(/<t[dh]\b[^>]*>(.*?)<\/t[dh]>/gs)].map(([, cell = '']) =>
        cell
          .replace(/<[^>]*>/g, '')
          .replace(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => ENTITIES[name] ?? ''),
      ),
    ),
  );
}
