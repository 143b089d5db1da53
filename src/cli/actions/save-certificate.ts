import { Readable } from 'node:stream';
import { loadCommandSettings } from '../../config/settings.js';
import { dictionaryDigest } from '../../policy/deidentify/manifest.js';
import { loadPolicyFiles } from '../../policy/load-policy-files.js';
import { NOT_CLAIMED, notCoveredBy, provePolicies, type Certificate } from '../../proof/certificate.js';
import { certificatePage } from '../../proof/certificate-page.js';
import { readDesign } from '../../proof/project-design.js';
import { thisProgram } from '../../services/this-program.js';
import { EXIT_CODES, type ExitCode } from '../exit-codes.js';
import { saveFile, type SaveArguments } from '../files/save-file.js';
import { counted } from '../printing/counted.js';
import { pathOf } from './run-policy.js';

/** The arguments of `crf policy certificate`. */
export interface CertificateArguments extends SaveArguments {
  readonly file?: string | undefined;
  readonly json: boolean;
  readonly seconds: number;
  readonly seed: number;
}

/**
 * Plays the policies on made-up records, and saves what was found out as a document.
 *
 * @returns 1 if there was a difference, or a policy could not be played
 */
export async function saveCertificate(options: CertificateArguments): Promise<ExitCode | undefined> {
  const { json, seconds, seed } = options;
  const settings = loadCommandSettings();
  const path = pathOf(options, { settings });
  const files = await loadPolicyFiles(path);
  const name = json ? 'certificate.json' : 'certificate.html';
  let isProved = true;
  await saveFile({ ...options, output: options.output ?? name }, name, async (client) => {
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
    if (options.quiet !== true) for (const proof of policies) process.stderr.write(`${inWords(proof)}\n`);
    const text = json ? `${JSON.stringify(certificate, null, 2)}\n` : certificatePage(certificate);
    return { name, body: Readable.from([Buffer.from(text)]) };
  });
  return isProved ? undefined : EXIT_CODES.failed;
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
