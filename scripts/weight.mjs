// Prints the lines of each room of src, and the size of what people read, beside their budgets (weight.json), and fails
// above one: `npm run weight`.
// A commit that raises a budget says in its message what the lines buy.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const listed = (...patterns) =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...patterns], { cwd: root, encoding: 'utf8' })
    .trim()
    .split('\n')
    .filter((file) => existsSync(join(root, file)));
const read = (file) => readFileSync(join(root, file), 'utf8');
const budgets = JSON.parse(read('weight.json'));

/** @type {Record<string, { lines: number, files: number }>} */
const rooms = {};
const all = { lines: 0, files: 0 };
for (const file of listed('src/**.ts', 'src/**.tsx')) {
  const [, room = '', inner] = file.split('/');
  const found = (rooms[inner === undefined ? 'entries' : room] ??= { lines: 0, files: 0 });
  const lines = read(file).split('\n').length - 1;
  for (const sum of [found, all]) {
    sum.lines += lines;
    sum.files++;
  }
}

// For users, without code: what is generated, or for contributors, has folders, but for the table of names, and for the
// architecture, whose path is linked from everywhere.
const pages = listed(':(glob)docs/*.md', ':!docs/architecture.md', ':!docs/names.md');
const words = pages.map(
  (page) =>
    read(page)
      .replace(/^```.*?^```$/gms, '')
      .match(/[\p{L}\p{N}][^\s|]*/gu)?.length ?? 0,
);
const bytesOf = (file) => Buffer.byteLength(read(file));

const sums = [
  ...Object.entries(rooms).map(([room, { lines, files }]) => [room, lines, `lines in ${files} files`]),
  ['src', all.lines, `lines in ${all.files} files`],
  ['README.md', bytesOf('README.md'), 'bytes'],
  ['CONTRIBUTING.md', bytesOf('CONTRIBUTING.md'), 'bytes'],
  ['docs', words.reduce((sum, count) => sum + count), `words in ${pages.length} pages`],
];

let isHeavy = false;
for (const [name, sum, unit] of sums) {
  const budget = budgets[name];
  const isOver = budget === undefined || sum > budget;
  isHeavy ||= isOver;
  const row = [name.padEnd(15), `${sum}`.padStart(6), `of ${budget ?? 'no budget'}`.padEnd(12), unit];
  console.log(`${row.join('  ')}${isOver ? '  TOO HEAVY' : ''}`);
}
if (isHeavy) {
  console.error(
    'Take away what the new lines replace, or raise the budget in weight.json and say what they buy.',
  );
  process.exitCode = 1;
}
