import { expect } from 'chai';
import fc from 'fast-check';
import { isTimeZone } from '../../../src/domain/identifiers/setting-forms.js';
import { ServerTime } from '../../../src/services/server-time.js';

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

  for (const [zone, moment, edge, minute] of [
    ['Europe/Paris', '2026-01-31T07:15:00Z', 'start', '2026-01-31 08:15'],
    ['Europe/Paris', '2026-07-31T23:30:59-02:00', 'end', '2026-08-01 03:30'],
    ['Europe/Paris', '2026-01-31 08:15', 'start', '2026-01-31 08:15'],
    [undefined, '2026-01-31T08:15:59', 'start', '2026-01-31 08:15'],
    [undefined, '2026-01-31', 'start', '2026-01-31 00:00'],
    [undefined, '2026-01-31', 'end', '2026-01-31 23:59'],
  ] as const) {
    it(`reads ${moment} as ${minute} in ${zone ?? 'an unknown zone'}`, () => {
      expect(new ServerTime(zone).toMinute('from', moment, edge)).to.equal(minute);
    });
  }

  for (const moment of [
    '',
    'now',
    '2026-13-01',
    '2026-02-30',
    '2026-01-31T25:00',
    '2026-01-31T08:15:00+99:00',
  ]) {
    it(`refuses "${moment}", naming the parameter`, () => {
      expect(() => new ServerTime('UTC').toMinute('from', moment))
        .to.throw(/^from must be/)
        .with.property('code', 'invalid_request');
    });
  }

  it('refuses an offset if the zone is unknown, and names the setting', () => {
    expect(() => new ServerTime(undefined).toMinute('to', '2026-01-31T08:15:00Z')).to.throw(
      /CAPTURE_TIME_ZONE/,
    );
  });

  it('reads what it has written', () => {
    const zones = fc.constantFrom('Europe/Paris', 'UTC', 'America/New_York', 'Australia/Lord_Howe');
    const minutes = fc.integer({ min: Date.UTC(2020, 0) / 60_000, max: Date.UTC(2030, 0) / 60_000 });
    fc.assert(
      fc.property(zones, minutes, (zone, minute) => {
        const time = new ServerTime(zone);
        // A minute that the server's clock has shown: none skipped by a change of the clocks.
        const local = time.toMinute('from', new Date(minute * 60_000).toISOString());

        expect(time.toMinute('from', time.toText(local))).to.equal(local);
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
