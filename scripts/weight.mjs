// Prints the lines and files of each room of src beside its budget (weight.json), and fails above one: `npm run weight`.
// A commit that raises a budget says in its message what the lines buy.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const budgets = JSON.parse(readFileSync(join(root, 'weight.json'), 'utf8'));
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'src/**.ts', 'src/**.tsx'], {
  cwd: root,
  encoding: 'utf8',
})
  .trim()
  .split('\n');

/** @type {Record<string, { lines: number, files: number }>} */
const rooms = {};
const all = { lines: 0, files: 0 };
for (const file of files) {
  const [, room = '', inner] = file.split('/');
  const found = (rooms[inner === undefined ? 'entries' : room] ??= { lines: 0, files: 0 });
  const lines = readFileSync(join(root, file), 'utf8').split('\n').length - 1;
  for (const sum of [found, all]) {
    sum.lines += lines;
    sum.files++;
  }
}

let isHeavy = false;
for (const [room, { lines, files }] of [...Object.entries(rooms), ['src', all]]) {
  const budget = budgets[room];
  const isOver = budget === undefined || lines > budget;
  isHeavy ||= isOver;
  const row = [
    room.padEnd(12),
    `${lines}`.padStart(6),
    `of ${budget ?? 'no budget'}`.padEnd(12),
    `${files} files`,
  ];
  console.log(`${row.join('  ')}${isOver ? '  TOO HEAVY' : ''}`);
}
if (isHeavy) {
  console.error(
    'Take away what the new lines replace, or raise the budget in weight.json and say what they buy.',
  );
  process.exitCode = 1;
}
