import { expect } from 'chai';
import fc from 'fast-check';
import { isTimeZone } from '../../../../src/domain/identifiers/setting-forms.js';
import { ServerTime } from '../../../../src/domain/dictionary/server-time.js';

describe('ServerTime', () => {
  for (const [zone, local, text] of [
    ['Europe/Paris', '2026-01-31 08:15', '2026-01-31T08:15:00+01:00'],
    ['Europe/Paris', '2026-07-31 08:15:30', '2026-07-31T08:15:30+02:00'],
    ['America/St_Johns', '2026-01-31 08:15', '2026-01-31T08:15:00-03:30'],
    ['Asia/Kathmandu', '2026-01-31 08:15', '2026-01-31T08:15:00+05:45'],
    ['UTC', '2026-01-31 08:15', '2026-01-31T08:15:00Z'],
    // 15 minutes before and after the change to daylight saving time.
    ['Europe/Paris', '2026-03-29 01:45', '2026-03-29T01:45:00+01:00'],
    ['Europe/Paris', '2026-03-29 03:15', '2026-03-29T03:15:00+02:00'],
    [undefined, '2026-01-31 08:15', '2026-01-31T08:15:00'],
    ['Europe/Paris', '', ''],
  ] as const) {
    it(`writes "${local}" in ${zone ?? 'an unknown zone'} as "${text}"`, () => {
      expect(new ServerTime(zone).toText(local)).to.equal(text);
    });
  }

  for (const [zone, moment, first, last] of [
    ['Europe/Paris', '2026-01-31T07:15:00Z', '2026-01-31 08:15:00', '2026-01-31 08:15:00'],
    ['Europe/Paris', '2026-01-31 07:15Z', '2026-01-31 08:15:00', '2026-01-31 08:15:59'],
    ['Europe/Paris', '2026-07-31T23:30:59.5-02:00', '2026-08-01 03:30:59', '2026-08-01 03:30:59'],
    ['Europe/Paris', '2026-01-31 08:15', '2026-01-31 08:15:00', '2026-01-31 08:15:59'],
    [undefined, '2026-01-31T08:15:30', '2026-01-31 08:15:30', '2026-01-31 08:15:30'],
    [undefined, '2026-01-31', '2026-01-31 00:00:00', '2026-01-31 23:59:59'],
    ['Europe/Paris', '30m', '2026-08-01 01:30:15', '2026-08-01 01:30:15'],
    ['UTC', '24h', '2026-07-31 00:00:15', '2026-07-31 00:00:15'],
    ['UTC', '7d', '2026-07-25 00:00:15', '2026-07-25 00:00:15'],
  ] as const) {
    it(`reads ${moment} as ${first} to ${last} in ${zone ?? 'an unknown zone'}`, () => {
      const time = new ServerTime(zone, () => new Date('2026-08-01T00:00:15Z'));
      const period = time.periodOf({ from: moment, until: moment });

      expect(period).to.deep.equal({ from: first, until: last });
      expect(new ServerTime().periodOf(period)).to.deep.equal(period);
    });
  }

  it('leaves open what has no bound', () => {
    expect(new ServerTime().periodOf({ from: undefined })).to.deep.equal({});
  });

  for (const moment of [
    '',
    'now',
    '2026-13-01',
    '2026-02-30',
    '2026-01-31T25:00',
    '2026-01-31T08:15:00+99:00',
    '7 d',
    '-7d',
    '100000d',
  ]) {
    it(`refuses "${moment}", naming the bound`, () => {
      expect(() => new ServerTime('UTC').periodOf({ until: moment }))
        .to.throw(/^until must be a day, a moment or as long ago/)
        .with.property('code', 'invalid_request');
    });
  }

  for (const moment of ['2026-01-31T08:15:00Z', '24h'])
    it(`refuses ${moment} if the zone is unknown, and names the setting`, () => {
      expect(() => new ServerTime().periodOf({ from: moment })).to.throw(/CAPTURE_TIME_ZONE/);
    });

  it('refuses a period that ends before it begins, under the names of the caller', () => {
    const names = { from: '--from', until: '--until' };
    expect(() =>
      new ServerTime().periodOf({ from: '2026-02-01', until: '2026-01-31 23:59' }, names),
    ).to.throw('--from must not be later than --until');
  });

  it('reads what it has written', () => {
    const zones = fc.constantFrom('Europe/Paris', 'UTC', 'America/New_York', 'Australia/Lord_Howe');
    const minutes = fc.integer({ min: Date.UTC(2020, 0) / 60_000, max: Date.UTC(2030, 0) / 60_000 });
    fc.assert(
      fc.property(zones, minutes, (zone, minute) => {
        const time = new ServerTime(zone);
        // A minute that the server's clock has shown: none skipped by a change of the clocks.
        const { from = '' } = time.periodOf({ from: new Date(minute * 60_000).toISOString() });

        expect(time.periodOf({ from: time.toText(from) })).to.deep.equal({ from });
      }),
    );
  });
});

describe('isTimeZone', () => {
  for (const [name, is] of [
    ['Europe/Paris', true],
    ['UTC', true],
    ['+01:00', false],
    ['Paris', false],
    ['', false],
  ] as const) {
    it(`is ${is} for "${name}"`, () => {
      expect(isTimeZone(name)).to.equal(is);
    });
  }
});
