// Tries the policies of a project on made-up records, and saves what was found out as a document: `npm run certificate -- policy.yaml -o rights.html`.
import { Readable } from 'node:stream';
import { hideBin } from 'yargs/helpers';
import { defineCommand, type ArgumentsOf } from '../../src/cli/command.js';
import { savedFileOptions } from '../../src/cli/options/shared-options.js';
import { checkWholeNumbers, MAX_INTEGER } from '../../src/cli/options/shared-options.js';
import { run } from '../../src/cli/run.js';
import type { Io } from '../../src/cli/io.js';
import { loadCommandSettings } from '../../src/server/config/settings.js';
import { dictionaryDigest } from '../../src/policy/deidentify/manifest.js';
import { loadPolicyFiles } from '../../src/policy/load-policy-files.js';
import { NOT_CLAIMED, notCoveredBy, provePolicies, type Certificate } from './certificate.js';
import { certificatePage } from './certificate-page.js';
import { readDesign } from './project-design.js';
import { thisProgram } from '../../src/services/this-program.js';
import { EXIT_CODES, type ExitCode } from '../../src/cli/cli-error.js';
import { saveFile } from '../../src/cli/files/save-file.js';
import { counted } from '../../src/cli/printing/table.js';
import { pathOf } from '../../src/cli/options/caller.js';

const commandArgs = {
  file: { type: 'string', describe: 'The policy file; by default POLICY_FILE' },
  ...savedFileOptions('document'),
  json: { type: 'boolean', default: false, describe: 'Save JSON in place of HTML' },
  seconds: { type: 'number', default: 60, describe: 'How long it may take' },
  seed: { type: 'number', default: 1, describe: 'Makes other records up' },
} as const;

/**
 * Plays the policies on made-up records, and saves what was found out as a document.
 *
 * @returns 1 if there was a difference, or a policy could not be played
 */
async function saveCertificate(options: ArgumentsOf<typeof commandArgs>, io: Io): Promise<ExitCode> {
  const { json, seconds, seed } = options;
  const settings = loadCommandSettings(io.env);
  const path = pathOf(options, { settings });
  const files = await loadPolicyFiles(path);
  const name = json ? 'certificate.json' : 'certificate.html';
  let isProved = true;
  const saved = await saveFile({ ...options, output: options.output ?? name }, name, io, async (client) => {
    const design = await readDesign(client, files.set);
    const policies = await provePolicies({ design, files, seconds, seed });
    const { digest, ...program } = await thisProgram();
    const certificate: Certificate = {
      project: design.project.title,
      madeAt: new Date().toISOString(),
      program,
      digests: {
        ...files.digests,
        dictionary: dictionaryDigest(design.fields),
        program: digest,
      },
      seed,
      seconds,
      policies,
      notCovered: notCoveredBy(files),
      notClaimed: NOT_CLAIMED,
    };
    isProved = policies.every(
      ({ problem, differences }) => problem === undefined && differences.length === 0,
    );
    if (options.quiet !== true) for (const proof of policies) io.stderr.write(`${inWords(proof)}\n`);
    const text = json ? `${JSON.stringify(certificate, null, 2)}\n` : certificatePage(certificate);
    return { name, body: Readable.from([Buffer.from(text)]) };
  });
  return isProved ? saved : EXIT_CODES.failed;
}

function inWords({ policy, problem, requests, differences, leaks }: Certificate['policies'][number]): string {
  if (problem !== undefined) return `${policy}: ${problem}`;
  const compared = `${policy}: ${counted(differences.length, 'difference')} in ${counted(requests, 'request')}`;
  if (leaks.seeded === 0) return `${compared}; the time was too short to try leaks.`;
  const rest = leaks.seeded - leaks.found;
  const others =
    rest === 0 ? '' : `; with the other ${rest} in place no answer showed anything that this policy hides`;
  return `${compared}. Of ${counted(leaks.seeded, 'leak')} put in on purpose, ${leaks.found} showed something hidden and ${leaks.found === 1 ? 'was' : 'were'} found${others}.`;
}

const certificateCommand = defineCommand({
  args: commandArgs,
  check: (values) => checkWholeNumbers(values, { '--seconds': 86_400, '--seed': MAX_INTEGER }),
  examples: {
    'npm run certificate -- policy.yaml -o rights.html': 'A document for the ethics board, to be printed',
  },
  epilogue:
    'Reads the design of the project, and no record. Exit codes: 0 no difference was found; 1 there was one, or a policy could not be played, because it does not fit the project or de-identifies; 2 a file cannot be read.',
  run: saveCertificate,
});

// npm runs this in the root of the repository; files are named from where the user stands.
if (process.env.INIT_CWD !== undefined) process.chdir(process.env.INIT_CWD);
const { stdout, stderr } = process;
const interruption = new AbortController();
process.once('SIGINT', () => interruption.abort());
process.exitCode = await run(
  ['certificate', ...hideBin(process.argv)],
  { stdout, stderr, stdin: () => process.stdin, env: undefined, interrupt: () => interruption.signal },
  [
    {
      usage: 'certificate [file]',
      describe: 'Try the policies on made-up records, and save what was found out as a document',
      load: () => Promise.resolve(certificateCommand),
    },
  ],
);
