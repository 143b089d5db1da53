import { defineCommand } from '../command.js';
import { acceptCommand } from './policy-accept.js';
import { checkCommand, testCommand } from './policy-check.js';
import { explainCommand, pseudonymCommand } from './policy-explain.js';

export const command = defineCommand({
  subcommands: [checkCommand, testCommand, explainCommand, acceptCommand, pseudonymCommand],
});
