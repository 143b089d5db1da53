import { expect } from 'chai';
import type { CrfClient } from '../../../../src/gateways/redcap/crf-client.js';
import { toRejection } from '../../../../src/gateways/redcap/rejection.js';
import type { Study } from '../../../../src/sandbox/redcap/study.js';
import { rejection } from '../../../support/rejection.js';
import { startSandboxClient } from '../../../support/sandbox-client.js';
import { classicStudy, longitudinalStudy, randomizedStudy } from '../../../support/studies.js';

const SUPER_TOKEN = 'F'.repeat(64);

/** Calls that REDCap refuses for a parameter or column with a different name in its API. */
const REFUSED: readonly (readonly [
  field: string,
  study: () => Study,
  call: (client: CrfClient) => Promise<unknown>,
  token?: string,
])[] = [
  [
    'randomizationId',
    () => ({ ...randomizedStudy(), rows: [{ id: '1' }] }),
    ({ records }) => records.randomize('1', 9),
  ],
  [
    'event',
    longitudinalStudy,
    ({ repeating }) => repeating.put([{ event: 'no_arm_9', instrument: '', customLabel: '' }]),
  ],
  [
    'instrument',
    classicStudy,
    ({ repeating }) => repeating.put([{ event: '', instrument: 'no_form', customLabel: '' }]),
  ],
  ['uniqueName', classicStudy, ({ roles }) => roles.put([{ label: 'A', uniqueName: 'U-0000000000' }])],
  ['purposeOther', classicStudy, ({ project }) => project.create({ title: 'A', purpose: 1 }), SUPER_TOKEN],
  ['folder', classicStudy, ({ fileRepository }) => fileRepository.list(99)],
  ['parent', classicStudy, ({ fileRepository }) => fileRepository.createFolder({ name: 'A', parent: 99 })],
  ['dagId', classicStudy, ({ fileRepository }) => fileRepository.createFolder({ name: 'A', dagId: 99 })],
];

/** Those that name what the project does not have. */
const NAMES = new Set(['randomizationId', 'event', 'instrument', 'uniqueName', 'folder', 'parent', 'dagId']);

describe('A call that REDCap rejects', () => {
  for (const [field, study, call, token] of REFUSED) {
    const code = NAMES.has(field) ? 'invalid_request' : 'upstream_rejected';
    it(`names ${field} as in the client library`, async () => {
      const options = token === undefined ? {} : { token, superToken: token };
      const started = await startSandboxClient(study(), options);

      const error = await rejection(call(started.client)).finally(() => started.close());

      expect(error).to.have.property('code', code);
      expect(error).to.have.nested.property('errors[0].field', field);
    });
  }

  it('lists the parameters to check by their names in the client library, after an unknown message', () => {
    const parameters = { content: 'log', logtype: 'user', beginTime: '2026-01-01 00:00', endTime: undefined };

    const { message } = toRejection('Something else', { ...parameters, token: 'x', format: 'json' });

    expect(message).to.match(/Check against the project: type, from\.$/);
  });

  it('says that a field is not at an event in the words of REDCap, without the label of the event', () => {
    const text =
      "This field ('scan') exists on an instrument that is not designated for the event named 'Mary'.";

    const { message } = toRejection(text, { content: 'file', action: 'import', field: 'scan' });

    expect(message).to.equal(text.replace(" named 'Mary'", ''));
  });
});
