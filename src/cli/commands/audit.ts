import { defineCommand } from '../command.js';
import { findCommand } from './audit-find.js';
import { verifyCommand } from './audit-verify.js';

export const command = defineCommand({ subcommands: [verifyCommand, findCommand] });
