/** Lines of a page of A4 in 10 points. */
const LINES = 66;
/** Characters of a line; longer ones are broken. */
const COLUMNS = 95;

/** Writes lines of text as a PDF document, a page for each 66 lines: valid, searchable, and plain. */
export function writePdf(lines: readonly string[]): Buffer {
  const broken = lines.flatMap((line) => line.match(new RegExp(`.{1,${COLUMNS}}`, 'gsu')) ?? ['']);
  const pages = Array.from({ length: Math.max(1, Math.ceil(broken.length / LINES)) }, (_page, index) =>
    broken.slice(index * LINES, (index + 1) * LINES),
  );
  // Objects: 1 catalog, 2 pages, 3 font, then a page and its content for each page.
  const pageIds = pages.map((_page, index) => 4 + index * 2);
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${pageIds.map((id) => `${id} 0 R`).join(' ')}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ...pages.flatMap((page, index) => {
      const content = contentOf(page);
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + index * 2} 0 R >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ];
    }),
  ];
  return assemble(objects);
}

function contentOf(lines: readonly string[]): string {
  return ['BT /F1 10 Tf 12 TL 40 800 Td', ...lines.map((line) => `(${escapeText(line)}) Tj T*`), 'ET'].join(
    '\n',
  );
}

/** The standard fonts know Latin 1; other characters are shown as a question mark. */
function escapeText(text: string): string {
  return text.replace(/[^\x20-\x7e\xa0-\xff]/gu, '?').replace(/[\\()]/g, String.raw`\$&`);
}

function assemble(objects: readonly string[]): Buffer {
  let body = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = body.length;
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`;
  return Buffer.from(
    `${body}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}${trailer}`,
    'latin1',
  );
}
