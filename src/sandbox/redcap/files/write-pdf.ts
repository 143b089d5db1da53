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
  // In the order of the library that REDCap uses: the pages first, from number 3 on, then what they share.
  const catalog = 3 + pages.length * 2;
  return assemble([
    ...pages.flatMap((page, index): PdfObject[] => {
      const [id, content] = [3 + index * 2, contentOf(page)];
      return [
        [
          id,
          `<< /Type /Page /Parent 1 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 2 0 R >> >> /Contents ${id + 1} 0 R >>`,
        ],
        [id + 1, `<< /Length ${content.length} >>\nstream\n${content}\nendstream`],
      ];
    }),
    [
      1,
      `<< /Type /Pages /Kids [${pages.map((_page, index) => `${3 + index * 2} 0 R`).join(' ')}] /Count ${pages.length} >>`,
    ],
    [2, '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>'],
    [catalog, '<< /Type /Catalog /Pages 1 0 R >>'],
  ]);
}

/** A number, and what stands there. */
type PdfObject = readonly [id: number, content: string];

function contentOf(lines: readonly string[]): string {
  return ['BT /F1 10 Tf 12 TL 40 800 Td', ...lines.map((line) => `(${escapeText(line)}) Tj T*`), 'ET'].join(
    '\n',
  );
}

/** The standard fonts know Latin 1; other characters are shown as a question mark. */
function escapeText(text: string): string {
  return text.replace(/[^\x20-\x7e\xa0-\xff]/gu, '?').replace(/[\\()]/g, String.raw`\$&`);
}

/** @param objects in the order of the file; the last is the catalog, and has the greatest number */
function assemble(objects: readonly PdfObject[]): Buffer {
  let body = '%PDF-1.3\n';
  const offsets = objects.map(([id, content]): readonly [number, number] => {
    const offset = body.length;
    body += `${id} 0 obj\n${content}\nendobj\n`;
    return [id, offset];
  });
  const table = offsets
    .toSorted(([left], [right]) => left - right)
    .map(([, offset]) => `${String(offset).padStart(10, '0')} 00000 n \n`)
    .join('');
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root ${objects.length} 0 R >>\nstartxref\n${body.length}\n%%EOF\n`;
  return Buffer.from(
    `${body}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}${trailer}`,
    'latin1',
  );
}
