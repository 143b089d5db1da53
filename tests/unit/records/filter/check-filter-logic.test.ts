import { expect } from 'chai';
import { UpstreamRejectedError, UpstreamTimeoutError } from '../../../../src/domain/errors/index.js';
import { checkFilterLogic, toNoteHeader } from '../../../../src/records/filter/check-filter-logic.js';
import type { Field } from '../../../../src/domain/dictionary/field.js';
import type { ProjectInfo } from '../../../../src/gateways/redcap/crf-client.js';
import { rejection } from '../../../support/rejection.js';
import { someField } from '../../../support/some-field.js';

const FIELDS: Field[] = [
  someField('record_id'),
  someField('sex', { type: 'radio', choicesOrCalculations: '1, Female | 2, Male' }),
];

/** A project that records which metadata is requested. */
function project(answers: { fields?: () => Promise<Field[]>; missingDataCodes?: string } = {}) {
  const asked: string[] = [];
  return {
    asked,
    fields: {
      list: async () => {
        asked.push('fields');
        return (answers.fields ?? (async () => FIELDS))();
      },
    },
    project: {
      getInfo: async () => {
        asked.push('project');
        return { missingDataCodes: answers.missingDataCodes ?? '' } as ProjectInfo; // Nothing else is read.
      },
    },
    events: {
      list: async () => {
        asked.push('events');
        return [{ label: 'Visit', arm: 1, uniqueName: 'visit_arm_1', customLabel: '' }];
      },
    },
  };
}

describe('checkFilterLogic', () => {
  it('gives the position of the mistake and suggests a correction', async () => {
    const error = await rejection(checkFilterLogic("[record_id] <> '' and [sexx] = '1'", project()));

    expect(error).to.have.property('code', 'invalid_request');
    expect(error.message).to.equal(
      'filterLogic is not valid at character 23: [sexx] is not a field of this project; did you mean [sex]?',
    );
  });

  for (const [logic, asked] of [
    ['1 = 1', []],
    ["[sex] = '1'", ['fields']],
    ["[visit_arm_1][sex] = '1'", ['fields', 'events']],
    ["[first-event-name][sex] = '1'", ['fields']],
    ["[sex] = 'UNK'", ['fields', 'project']],
  ] as const) {
    it(`requests ${asked.join(' and ') || 'nothing'} from REDCap to check ${logic}`, async () => {
      const source = project({ missingDataCodes: 'UNK, Unknown' });

      expect(await checkFilterLogic(logic, source)).to.deep.equal([]);
      expect(source.asked).to.deep.equal(asked);
    });
  }

  it('refuses nothing if REDCap does not describe the project', async () => {
    const fields = () => Promise.reject(new UpstreamRejectedError('No rights.'));

    expect(await checkFilterLogic('[agee] > 1', project({ fields }))).to.have.length(1);
  });

  it('fails as the export would if REDCap does not answer', async () => {
    const fields = () => Promise.reject(new UpstreamTimeoutError('total'));

    expect(await rejection(checkFilterLogic('[age] > 1', project({ fields })))).to.have.property(
      'code',
      'upstream_timeout',
    );
  });
});

describe('toNoteHeader', () => {
  it('returns text that any header can carry', () => {
    const notes = Array.from({ length: 100 }, () => ({ at: 3, message: 'héllo\r\n漢' }));
    const header = toNoteHeader(notes) ?? '';

    expect(header).to.match(/^at character 3: h\?llo\?\?\?; [ -~]+\.\.\.$/);
    expect(header).to.have.length(1000);
  });

  it('returns undefined without notes', () => {
    expect(toNoteHeader([])).to.equal(undefined);
  });
});
