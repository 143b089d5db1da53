import { Email } from '../../domain/identifiers/email.js';
import { UserFinder } from '../../services/user-finder.js';
import { defineCommand } from '../command.js';
import { needed } from '../options/option.js';
import { JSON_OPTION } from '../options/shared-options.js';

/** Prints the user id to stdout. */
export const command = defineCommand({
  args: { email: needed('The full email address'), ...JSON_OPTION },
  examples: { '$0 people ada.lovelace@example.org': 'The case of letters does not matter' },
  reads: async ({ client, settings: { project } }, { email }) => {
    const user = await new UserFinder(client, project.users).find(Email(email));
    return { data: user, text: user.id };
  },
});
