/** Lines per A4 page at 10 points. */
const LINES = 66;
/** Characters per line; longer lines are broken. */
const COLUMNS = 95;

/** Writes lines of text as a plain, searchable PDF document. @see docs/protocol/redcap.md 20 (client) */
export function writePdf(lines: readonly string[]): Buffer {
  const broken = lines.flatMap((line) => line.match(new RegExp(`.{1,${COLUMNS}}`, 'gsu')) ?? ['']);
  const pages = Array.from({ length: Math.max(1, Math.ceil(broken.length / LINES)) }, (_page, index) =>
    broken.slice(index * LINES, (index + 1) * LINES),
  );
  // Same order as the library that REDCap uses: first the pages, from object 3 on, then the objects that they share.
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

/** An object's number and its content. */
type PdfObject = readonly [id: number, content: string];

function contentOf(lines: readonly string[]): string {
  return ['BT /F1 10 Tf 12 TL 40 800 Td', ...lines.map((line) => `(${escapeText(line)}) Tj T*`), 'ET'].join(
    '\n',
  );
}

/** Escapes text. The standard fonts cover Latin-1, so other characters are replaced by question marks. */
function escapeText(text: string): string {
  return text.replace(/[^\x20-\x7e\xa0-\xff]/gu, '?').replace(/[\\()]/g, String.raw`\$&`);
}

/** @param objects in file order; the last one is the catalog and has the highest number */
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
