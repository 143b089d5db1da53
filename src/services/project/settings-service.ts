import type { CallOptions, CrfClient, ProjectSettings } from '../../gateways/redcap/crf-client.js';

/** The settings of the project that REDCap's API can change. */
export class SettingsService {
  constructor(
    private readonly client: { readonly projects: Pick<CrfClient['projects'], 'changeSettings'> },
  ) {}

  /** Changes the settings that are given. Sent twice it comes to the same. @returns how many values REDCap took */
  change(settings: ProjectSettings, options?: CallOptions): Promise<number> {
    return this.client.projects.changeSettings(settings, options);
  }
}
