import { expect } from 'chai';
import { DataDictionary } from '../../../../src/domain/dictionary/data-dictionary.js';
import { ProjectStructure } from '../../../../src/domain/dictionary/project-structure.js';
import type { RecordRow } from '../../../../src/gateways/redcap/crf-client.js';
import { InstrumentTable } from '../../../../src/records/typed/instrument-table.js';
import { RowTyper } from '../../../../src/records/typed/row-typer.js';
import { someField } from '../../../support/some-field.js';

const STRUCTURE = new ProjectStructure({
  dictionary: new DataDictionary([
    someField('id'),
    someField('sites', { type: 'checkbox', choicesOrCalculations: '1, North | 2, South' }),
    someField('other', { type: 'checkbox', choicesOrCalculations: '1, Yes', instrument: 'visit' }),
  ]),
  missingDataCodes: ['UNK'],
});

describe('InstrumentTable', () => {
  async function rowOf(row: RecordRow): Promise<RecordRow | undefined> {
    const rows = new InstrumentTable(STRUCTURE, 'base').rowsOf(
      (async function* () {
        yield row;
      })(),
    );
    for await (const own of rows) return own;
    return undefined;
  }

  it('keeps the missing data code of a checkbox field', async () => {
    const sent = { id: '1', sites___1: '0', sites___2: '0', sites___unk: '1', base_complete: '0' };
    const row = (await rowOf({ ...sent, other___1: '1', other___unk: '0' })) ?? {};

    expect(row).to.deep.equal(sent);
    expect(new RowTyper(STRUCTURE).type(row, () => undefined)).to.include.deep.property('sites', {
      missing: 'UNK',
    });
  });

  it('adds no columns for missing data codes that REDCap did not send', async () => {
    const sent = { id: '1', sites___1: '0', sites___2: '1', base_complete: '0' };

    expect(await rowOf(sent)).to.deep.equal(sent);
  });
});
