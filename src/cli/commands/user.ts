import type { CommandModule } from 'yargs';
import type { GlobalArguments } from '../options/global-arguments.js';

interface UserArguments extends GlobalArguments {
  email: string;
  json: boolean;
}

/** `crf user EMAIL`: prints the user ID to stdout. */
export const userCommand: CommandModule<GlobalArguments, UserArguments> = {
  command: 'user <email>',
  describe: 'Find a user by email address and print the user id',
  builder: (yargs) =>
    yargs
      .positional('email', { type: 'string', demandOption: true, describe: 'The full email address' })
      .option('json', { type: 'boolean', default: false, describe: 'Print one JSON document' })
      .example('$0 user ada.lovelace@example.org', 'The case of letters does not matter'),
  handler: async ({ email, json, ...options }) => {
    const [{ withClient }, { UserFinder }, { Email }] = await Promise.all([
      import('../open-client.js'),
      import('../../services/user-finder.js'),
      import('../../identifiers/email.js'),
    ]);
    await withClient(options, async ({ client, settings: { values } }) => {
      const finder = new UserFinder(client, {
        userSource: values.USER_SOURCE,
        userEmailField: values.USER_EMAIL_FIELD,
        userIdField: values.USER_ID_FIELD,
      });
      const user = await finder.find(Email(email));
      process.stdout.write(json ? `${JSON.stringify(user)}\n` : `${user.id}\n`);
    });
  },
};
