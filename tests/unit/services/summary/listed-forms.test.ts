import { expect } from 'chai';
import { DataDictionary } from '../../../../src/domain/dictionary/data-dictionary.js';
import { ProjectStructure } from '../../../../src/domain/dictionary/project-structure.js';
import { formLister } from '../../../../src/services/summary/listed-forms.js';
import { someField } from '../../../support/some-field.js';

const RECORD = { record: '7', dag: 'paris', joined: '2026-03-01' };

describe('The forms of a record', () => {
  it('include instances of a form that does not repeat any more', () => {
    const formsOf = formLister(structureOf([]), {});

    const forms = formsOf(RECORD, [
      { id: '7', base_complete: '2', drugs_complete: '' },
      { id: '7', redcap_repeat_instrument: 'drugs', redcap_repeat_instance: 2, drugs_complete: '0' },
    ]);

    expect(forms).to.deep.equal([
      { ...RECORD, event: '', instrument: 'base', instance: null, status: 'complete' },
      { ...RECORD, event: '', instrument: 'drugs', instance: 2, status: 'incomplete' },
    ]);
  });

  it('leave out what stands on the row of the event since before a form repeated', () => {
    const formsOf = formLister(structureOf(['drugs']), {});

    const forms = formsOf(RECORD, [{ id: '7', base_complete: '2', drugs_complete: '2' }]);

    expect(forms).to.deep.equal([
      { ...RECORD, event: '', instrument: 'base', instance: null, status: 'complete' },
    ]);
  });
});

function structureOf(repeating: readonly string[]): ProjectStructure {
  return new ProjectStructure({
    dictionary: new DataDictionary([
      someField('id', { instrument: 'base' }),
      someField('drug', { instrument: 'drugs' }),
    ]),
    repeating: repeating.map((instrument) => ({ event: '', instrument })),
  });
}
