import { expect } from 'chai';
import { InvalidRequestError } from '../../../../src/domain/errors/caller-errors.js';
import { withKnownNames } from '../../../../src/services/design/known-names.js';

interface Group {
  readonly uniqueName: string;
  readonly label: string;
}
interface SentGroup {
  readonly uniqueName?: string;
  readonly label: string;
}

const KNOWN: Group[] = [
  { uniqueName: 'north', label: 'North' },
  { uniqueName: 'south', label: 'South' },
  { uniqueName: 'south_b', label: 'South' },
];

function named(sent: readonly SentGroup[], onRead: () => void = () => undefined): SentGroup[] {
  const labelOf = ({ label }: SentGroup): string => {
    onRead();
    return label;
  };
  return withKnownNames(sent, KNOWN, { list: 'groups', labelOf });
}

describe('withKnownNames', () => {
  it('adds the name of an entry with the same label, and leaves new and named entries as they are', () => {
    expect(
      named([{ label: 'North' }, { label: 'East' }, { label: 'South', uniqueName: 'south_b' }]),
    ).to.deep.equal([
      { label: 'North', uniqueName: 'north' },
      { label: 'East' },
      { label: 'South', uniqueName: 'south_b' },
    ]);
  });

  it('matches the names of another project by their labels, each label once and in order', () => {
    expect(
      named([
        { label: 'South', uniqueName: 'sud' },
        { label: 'South', uniqueName: 'south' },
        { label: 'South', uniqueName: 'sud2' },
        { label: 'North', uniqueName: 'nord' },
      ]),
    ).to.deep.equal([
      { label: 'South', uniqueName: 'south_b' },
      { label: 'South', uniqueName: 'south' },
      { label: 'South', uniqueName: undefined },
      { label: 'North', uniqueName: 'north' },
    ]);
  });

  it('refuses a label that several known entries have, or that is sent twice', () => {
    const sent = [{ label: 'South' }, { label: 'East' }, { label: 'East' }];

    expect(() => named(sent))
      .to.throw(InvalidRequestError)
      .with.property('errors')
      .that.deep.equals([
        { field: 'groups[0].uniqueName', message: 'is needed: others have the same label' },
        { field: 'groups[2].uniqueName', message: 'is needed: others have the same label' },
      ]);
  });

  it('reads each label once, however long the sent list is', () => {
    let reads = 0;
    const sent = Array.from({ length: 50 }, (_, at) => ({ label: `Clinic ${at}` }));
    named(sent, () => reads++);

    expect(reads).to.equal(KNOWN.length + sent.length);
  });
});
