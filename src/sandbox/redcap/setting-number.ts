/** The settings of a project that are on or off. @see docs/protocol/redcap.md 9.5 (client) */
const SWITCHES: ReadonlySet<string> = new Set([
  'is_longitudinal',
  'surveys_enabled',
  'scheduling_enabled',
  'record_autonumbering_enabled',
  'randomization_enabled',
  'display_today_now_button',
  'bypass_branching_erase_field_prompt',
]);

/** Whether a setting of a project is on or off. */
export function isSwitch(name: string): boolean {
  return SWITCHES.has(name);
}

/**
 * Returns the number that is stored for a setting, in a new project or a changed one. Every text is accepted: `true`
 * switches a setting on, and other text that is not a number in its range becomes 0.
 *
 * @see docs/protocol/redcap.md 20 (client; what becomes of the values is a choice)
 */
export function settingNumber(name: string, text: string): number {
  if (isSwitch(name)) return Number(/^(true|[1-9]\d*)$/i.test(text));
  return /^[0-4]$/.test(text) ? Number(text) : 0;
}
