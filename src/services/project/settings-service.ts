import type { CallOptions, CrfClient, ProjectSettings } from '../../gateways/redcap/crf-client.js';

/** The settings of the project that REDCap's API can change. */
export class SettingsService {
  constructor(
    private readonly client: { readonly projects: Pick<CrfClient['projects'], 'changeSettings'> },
  ) {}

  /**
   * Changes the given settings. Repeating the call has no further effect.
   *
   * @returns the number of values that REDCap accepted
   */
  change(settings: ProjectSettings, options?: CallOptions): Promise<number> {
    return this.client.projects.changeSettings(settings, options);
  }
}
