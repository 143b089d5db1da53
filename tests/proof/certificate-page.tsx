import { printedFile } from '../../src/pages/printed-file.js';
import { Table } from '../../src/pages/table.js';
import type { Certificate, PolicyProof } from './certificate.js';

/** Returns the certificate as an HTML document, to be printed or sent. */
export function certificatePage(certificate: Certificate): string {
  return printedFile(
    'en',
    `${certificate.project} · Certificate of rights`,
    `Rights in ${certificate.project}`,
    <div class="report">
      <Summary {...certificate} />
      {certificate.policies.map((proof) => (
        <PolicySection key={proof.policy} {...proof} />
      ))}
      <List title="Not covered" sentences={certificate.notCovered} />
      <List title="Not claimed" sentences={certificate.notClaimed} />
      <Digests {...certificate} />
    </div>,
  );
}

function Summary({ policies, madeAt, program }: Certificate) {
  const count = policies.reduce((sum, { differences }) => sum + differences.length, 0);
  const requests = policies.reduce((sum, proof) => sum + proof.requests, 0);
  return (
    <>
      <p>
        <strong>
          {count === 0
            ? `No difference was found in ${requests} requests.`
            : `${count} differences were found in ${requests} requests: do not rely on these policies.`}
        </strong>{' '}
        Made on {madeAt.slice(0, 10)} by {program.name} {program.version}, with the policies and the data
        dictionary named by their digests below. No record of the project was read: all values are made up.
      </p>
      <p>
        What a policy hides is to behave like what does not exist. For each policy, projects were made up in
        pairs that differ in hidden things alone: values, records, files, log entries, labels. The same
        requests were sent to both, through the whole service with the policy that it enforces, and to a third
        project, from which a program that shares no code with the service took away what the policy hides,
        and in which it changed the values that the policy shows as others, and which the service showed
        without a policy. Status, headers and bytes of the answers were compared. Every hidden text is one
        that is nowhere else, and was looked for in all answers, log lines and metrics. Then leaks were put
        into the service on purpose, one after the other, to see that this comparison finds them.
      </p>
    </>
  );
}

function PolicySection(proof: PolicyProof) {
  const { leaks, differences } = proof;
  return (
    <section class="card">
      <h2>{proof.policy}</h2>
      <p>{proof.callers.length === 0 ? 'Nobody has this policy.' : `For ${proof.callers.join(', ')}.`}</p>
      {proof.problem !== undefined && <p>{proof.problem}</p>}
      {proof.requests > 0 && (
        <Table
          label={`What was compared for ${proof.policy}`}
          columns={['What', { name: 'How many', kind: 'number' }]}
          rows={[
            ['Pairs of projects that differ in hidden things alone', proof.pairs],
            ['Requests', proof.requests],
            ['of which answered with more than a refusal', proof.shown],
            ['of which changes of records, files or the design', proof.changes],
            ['Operations of the REST API', proof.operations],
            ['Pages', proof.pages],
            ['Differences', differences.length],
            ['Leaks put in on purpose', leaks.seeded],
            ['of which showed something hidden, and were found', leaks.found],
            ['of which showed nothing that this policy hides', leaks.seeded - leaks.found],
          ]}
        />
      )}
      {differences.slice(0, SHOWN).map(({ proof: by, request, told }) => (
        <p key={request}>
          Difference ({by}): <code>{request}</code>: {told}
        </p>
      ))}
      {leaks.notFound.length > 0 && (
        <p>
          With these in place, every answer was still that of the project without what is hidden, because this
          policy hides nothing that they would show, or because none of the requests asks for it:{' '}
          {leaks.notFound.join('; ')}.
        </p>
      )}
      {leaks.seeded < leaks.known && (
        <p>
          The time was over before {leaks.known - leaks.seeded} of the {leaks.known} known leaks were put in.
        </p>
      )}
      <List title="Not covered" sentences={proof.notCovered} />
    </section>
  );
}

/** How many differences are written out. */
const SHOWN = 10;

function List({ title, sentences }: { readonly title: string; readonly sentences: readonly string[] }) {
  if (sentences.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul>
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </>
  );
}

function Digests({ digests, seed, seconds }: Certificate) {
  return (
    <>
      <h3>Digests</h3>
      <ul>
        {Object.entries(digests).map(([name, digest]) => (
          <li key={name}>
            {name}: <code>{digest}</code>
          </li>
        ))}
      </ul>
      <p class="quiet small">
        Seed {seed}, {seconds} seconds. The same seed makes the same projects up; how many fit into the time
        depends on the machine.
      </p>
    </>
  );
}
