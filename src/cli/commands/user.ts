import { defineCommand } from '../define-command.js';
import { JSON_OPTION } from '../options/output-options.js';

/** Prints the user id to stdout. */
export const userCommand = defineCommand({
  name: 'user',
  describe: 'Find a user by email address and print the user id',
  args: {
    email: { type: 'string', demandOption: true, describe: 'The full email address' },
    ...JSON_OPTION,
  },
  positionals: ['email'],
  examples: [['$0 user ada.lovelace@example.org', 'The case of letters does not matter']],
  handler: async ({ email, json, ...options }) => {
    const [{ withClient }, { UserFinder }, { Email }] = await Promise.all([
      import('../open-client.js'),
      import('../../services/user-finder.js'),
      import('../../domain/identifiers/email.js'),
    ]);
    await withClient(options, async ({ client, settings: { project } }) => {
      const finder = new UserFinder(client, project.users);
      const user = await finder.find(Email(email));
      process.stdout.write(json ? `${JSON.stringify(user)}\n` : `${user.id}\n`);
    });
  },
});
