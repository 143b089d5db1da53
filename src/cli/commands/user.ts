import { Email } from '../../domain/identifiers/email.js';
import { UserFinder } from '../../services/user-finder.js';
import { defineCommand } from '../command.js';
import { withClient } from '../open-client.js';
import { needed } from '../options/option.js';
import { JSON_OPTION } from '../options/shared-options.js';

/** Prints the user id to stdout. */
export const command = defineCommand({
  args: {
    email: needed('The full email address'),
    ...JSON_OPTION,
  },
  examples: [['$0 user ada.lovelace@example.org', 'The case of letters does not matter']],
  run: ({ email, json, ...options }, io) =>
    withClient(options, io, async ({ client, settings: { project } }) => {
      const finder = new UserFinder(client, project.users);
      const user = await finder.find(Email(email));
      io.stdout.write(json ? `${JSON.stringify(user)}\n` : `${user.id}\n`);
    }),
});
