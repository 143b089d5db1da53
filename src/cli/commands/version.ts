import { defineCommand } from '../command.js';

export const command = defineCommand({ reads: ({ client }) => client.getVersion() });
