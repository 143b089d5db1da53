import { expect } from 'chai';
import { UsageError } from '../../../src/cli/cli-error.js';
import { createParser } from '../../../src/cli/create-parser.js';
import { rejection } from '../../support/rejection.js';

describe('createParser', () => {
  const mistakes: readonly [string, string[], RegExp][] = [
    ['no command', [], /A command is missing/],
    ['a command that does not exist', ['chekc'], /^Unknown argument: chekc\. Did you mean check\?$/],
    ['a command of a list that does not exist', ['arms', 'delte', '2'], /Did you mean delete\?/],
    ['list, which a command does by itself', ['events', 'list'], /: list\. crf events lists them$/],
    ['a flag that does not exist', ['check', '--jsno'], /Unknown argument: jsno\. Did you mean --json\?/],
    ['two flags that do not exist', ['check', '--jsno', '--quit'], /Did you mean --json and --quiet\?/],
    [
      'a flag with one word too many, named once',
      ['export', '--filter-by-logic', '[age] > 1'],
      /^Unknown argument: filter-by-logic\. Did you mean --filter-logic\?/,
    ],
    [
      'a flag by another name, in camel case',
      ['export', '--filterLogic', 'x'],
      /^Unknown argument: filterLogic\. Did you mean --filter-logic\?$/,
    ],
    ['a flag without its hyphen', ['export', '--filterlogic=x'], /Did you mean --filter-logic\?/],
    ['a day that does not exist', ['quality', '--from', '2026-02-30'], /--from must be a day/],
    [
      'a period that ends first',
      ['log', '--from', '1h', '--until', '2h'],
      /--from must not be later than --until/,
    ],
    ['a flag that is cut short', ['export', '--out', 'x.csv'], /Did you mean --output\?/],
    ['a flag that nothing is like', ['export', '--colour'], /Unknown argument: colour$/],
    [
      'a required flag that is misspelt',
      ['key', 'create', '--name', 'a', '--scopes', 'project:read'],
      /Missing required argument: scope\. Did you mean --scope\?/,
    ],
    ['one argument too many', ['people', 'a@example.org', 'b'], /Unknown argument: b/],
    ['one argument too few', ['import'], /^Missing required argument: file$/],
    ['two arguments too few', ['records', 'rename'], /^Missing required arguments: record, new-record$/],
    ['an incomplete command', ['key'], /create/],
    ['an incomplete command', ['auth'], /check/],
    ['a value that is not among the choices', ['export', '--format', 'xml'], /format/],
    ['a repeated flag', ['export', '--format', 'csv', '--format', 'json'], /--format may be given only once/],
    ['--quiet with --verbose', ['check', '--quiet', '--verbose'], /cannot be combined/],
    ['an empty batch', ['export', '--batch-size', '0'], /--batch-size/],
    ['a batch size that is not a number', ['export', '--batch-size', 'many'], /--batch-size/],
    ['--resume with CSV', ['export', '--resume', '--format', 'csv', '-o', 'x'], /--resume/],
    ['--resume without a file', ['export', '--resume', '--format', 'ndjson'], /--resume/],
    ['a format that contradicts the file name', ['export', '--format', 'json', '-o', 'x.csv'], /disagree/],
    ['a file with an unknown extension and no format', ['export', '-o', 'x.xlsx'], /--format is required/],
    ['an empty list of fields', ['export', '--fields', ''], /--fields is empty/],
    ['a list of blank records', ['export', '--records', ' , '], /--records is empty/],
    ['a list without a value', ['export', '--events'], /--events is empty/],
    ['an empty list of instruments', ['export', '--forms='], /--forms is empty/],
    ['a blank filter', ['export', '--filter-logic', ' '], /--filter-logic is blank/],
    ['an import from an empty file name', ['import', '', '--format', 'csv'], /The file must be named/],
    ['an empty file name for a subcommand', ['fields', 'put', ''], /The file must be named/],
    ['an export to an empty file name', ['export', '-o', ''], /--output must be named/],
    ['an import from standard input without a format', ['import', '-'], /--format is required/],
    ['an import with a fractional batch size', ['import', 'a.csv', '--batch-size', '0.5'], /--batch-size/],
    ['an arm that is not a number', ['records', 'delete', 'A-1', '--arm', 'x', '--yes'], /--arm/],
    ['instance 0', ['records', 'delete', 'A-1', '--instance', '0'], /--instance/],
    ['an instance after the last', ['records', 'delete', 'A-1', '--instance', '100000'], /from 1 to 99999/],
    [
      'the instance of a file, after the last',
      ['files', 'delete', '1', 'f', '--instance', '100000'],
      /99999/,
    ],
    [
      'a folder that is not a number',
      ['file-repository', 'list', '--folder', 'top'],
      /--folder must be a whole number/,
    ],
    ['a file by its name', ['file-repository', 'get', 'consent.pdf'], /^id must be a whole number from 1$/],
    [
      'a report whose number is too large',
      ['reports', 'get', '2147483648'],
      /^report must be a whole number from 1$/,
    ],
    ['a log of no entry', ['log', '--limit', '0'], /^--limit must be a whole number from 1$/],
    ['a fractional arm', ['records', 'rename', 'A-1', 'B-1', '--arm', '1.5'], /--arm/],
    [
      'a randomization that is not a number',
      ['records', 'randomize', 'A-1', 'first'],
      /^randomization-id must be/,
    ],
    ['records without a dictionary', ['sandbox', '--records', 'r.csv'], /dictionary/],
    ['a port that does not exist', ['sandbox', '--port', '65536'], /--port/],
    ['a key without a scope', ['key', 'create', '--name', 'a'], /scope/],
    ['a scope that does not exist', ['key', 'create', '--name', 'a', '--scope', 'all'], /scope/],
    ['a key with blanks in its name', [...key('a b')], /--name/],
    ['a key that has expired', [...key('a'), '--expires', '2020-01-31'], /--expires/],
    ['a key that expires on 31 February', [...key('a'), '--expires', '2999-02-31'], /--expires/],
  ];
  for (const [what, args, message] of mistakes) {
    it(`refuses ${what}, runs nothing and shows the usage: crf ${args.join(' ')}`, async () => {
      const error = await rejection(parsed(args));

      expect(error).to.be.instanceOf(UsageError);
      expect(error).to.have.property('exitCode', 2);
      expect(error.message).to.match(message);
      expect(error.usage).to.match(/^Usage: crf .*--help shows more\.$/);
    });
  }

  const lists: readonly string[][] = [
    ['quality', '--rules', 'invalid_value', 'hidden_value'],
    ['quality', '--forms', 'visit', '--forms', 'meds', '--records', '1', '2'],
    ['export', '--fields', 'age', 'sex', '--events', 'a', 'b'],
    ['key', 'create', '--name', 'a', '--scope', 'project:read', 'records:read'],
    ['audit', 'verify', 'one.log', 'two.log'],
    ['audit', 'find', '--record', '1', '--from', '2026-11-01', '--until', '2026-11-30', 'one.log'],
    ['records', 'delete', '1', '2'],
    ['check', '--env-file', '/dev/null', '--env-file', '/dev/null'],
  ];
  for (const args of lists) {
    it(`accepts several values: crf ${args.join(' ')}`, async () => {
      const both = [...args, '--sandbox', '--quiet', '--verbose'];

      // The last check of a command line: everything before it was accepted.
      expect(await rejection(parsed(both)))
        .to.have.property('message')
        .that.includes('--quiet and --verbose cannot be combined');
    });
  }
});

function key(name: string): string[] {
  return ['key', 'create', '--scope', 'project:read', '--name', name];
}

/** Parses a command line, whose command must not run. */
async function parsed(args: readonly string[]): Promise<unknown> {
  const parser = await createParser(args, () => Promise.reject(new Error('The command runs.')));
  return parser.parseAsync();
}
