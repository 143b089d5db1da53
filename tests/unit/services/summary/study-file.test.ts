import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSettings } from '../../../../src/server/config/settings.js';
import type { ConfigurationError } from '../../../../src/domain/errors/operator-errors.js';
import { openStudy } from '../../../../src/server/open-study.js';

const PLAN = `version: 1
recruitment: { start: 2026-01-05, end: 2026-12-31, target: 240, dateField: consent_date }
optional:
  forms: [adverse_event]
schedule:
  anchor: consent_date
  end: ended_on
  visitDate: visit_date
  visits:
    week_4_arm_1: { day: 28, before: 2, after: 5 }
    week_12_arm_1: { day: 84 }
`;

describe('The file of a study', () => {
  let folder: string;
  let file: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'crf-study-'));
    file = join(folder, 'study.yaml');
  });
  after(() => rmSync(folder, { recursive: true }));

  const open = (text: string, environment: Record<string, string> = {}) => {
    writeFileSync(file, text);
    return openStudy(loadSettings({ STUDY_FILE: file, ...environment }));
  };
  const mistakesIn = async (text: string): Promise<string[]> => {
    const error = await open(text).then(
      () => undefined,
      (reason: ConfigurationError) => reason,
    );
    return (error?.errors ?? []).map(({ field, message }) => `${field} ${message}`);
  };

  it('GW-07: takes the place of the settings that it repeats, and leaves the others', async () => {
    const study = await open(PLAN, { STUDY_TARGET: '10', SMALL_CELL: '7', CAPTURE_TIME_ZONE: 'Asia/Tokyo' });

    expect(study).to.deep.include({
      start: '2026-01-05',
      target: 240,
      smallCell: 7,
      timeZone: 'Asia/Tokyo',
      optional: { forms: ['adverse_event'], events: [] },
    });
    expect(study.schedule?.visitDate).to.equal('visit_date');
    expect(study.schedule?.visits).to.deep.equal({
      week_4_arm_1: { day: 28, before: 2, after: 5 },
      week_12_arm_1: { day: 84, before: 0, after: 0 },
    });
  });

  it('names every mistake with its line and its rule, and never a value', async () => {
    const broken = PLAN.replace('anchor: consent_date', 'anchor: SENTINEL-1')
      .replace('day: 28', 'day: SENTINEL')
      .replace('before: 2', 'befor: 2')
      .replace('visit_date', 'SENTINEL-2')
      .replace('version: 1', 'version: 2');

    expect(await mistakesIn(broken)).to.deep.equal([
      'STUDY_FILE line 1, version: must be 1',
      'STUDY_FILE line 6, schedule.anchor: begins with a lower-case letter and has only lower-case letters, digits and underscores, 100 at most',
      'STUDY_FILE line 8, schedule.visitDate: begins with a lower-case letter and has only lower-case letters, digits and underscores, 100 at most',
      'STUDY_FILE line 10, schedule.visits.week_4_arm_1.day: must be a whole number of days, at most 36500',
      'STUDY_FILE line 10, schedule.visits.week_4_arm_1.befor: is not a property; did you mean before?',
    ]);
    expect(await mistakesIn('a: [')).to.deep.equal(['STUDY_FILE line 1: is not YAML that can be read']);
    expect(await mistakesIn('')).to.deep.equal(['STUDY_FILE the file: must be an object']);
  });

  it('has to be there if it is named', async () => {
    const error = await openStudy(loadSettings({ STUDY_FILE: join(folder, 'nonesuch') })).catch(
      (reason: unknown) => reason as ConfigurationError,
    );

    expect(error).to.have.property('message').that.includes('STUDY_FILE names a file that cannot be read');
  });

  it('is not needed for the trial of the sandbox, whose plan is its own', async () => {
    const trial = await openStudy(
      loadSettings({ SANDBOX_STUDY: 'longitudinal', SANDBOX_UNTIL: '2026-11-03' }),
    );
    const cohort = await openStudy(loadSettings({}));

    expect(Object.keys(trial.schedule?.visits ?? {})).to.include('week_4_arm_2');
    expect(trial.today).to.equal('2026-11-03');
    expect(cohort).to.include({ smallCell: 5 }).and.to.not.have.property('schedule');
  });
});
