import * as z from 'zod';
import { unreadableAnswer } from './identity-problem.js';

// The SDK only declares the types of its answers and does not check them. These schemas pick the properties we use; an
// account in the users API has more.
const Id = z.string().min(1).max(255);

/** The SDK's wrapper of the text `Pong!`. It tells Appwrite apart from any other server at the endpoint. */
export const PingAnswer = z.object({ message: z.literal('Pong!') });

export const TokenAnswer = z.object({
  $id: Id,
  userId: Id,
  secret: z.string(),
  phrase: z.string().max(100).catch(''),
});

export const SessionAnswer = z.object({
  $id: Id,
  $createdAt: z.string(),
  userId: Id,
  expire: z.string(),
  secret: z.string(),
});

export const SessionListAnswer = z.object({
  sessions: z.array(
    z.object({
      $id: Id,
      $createdAt: z.string(),
      expire: z.string(),
      current: z.boolean(),
      clientName: z.string().catch(''),
      osName: z.string().catch(''),
      countryName: z.string().catch(''),
    }),
  ),
});

export const AccountAnswer = z.object({
  $id: Id,
  email: z.string(),
  status: z.boolean(),
  emailVerification: z.boolean(),
});

export const UserListAnswer = z.object({ users: z.array(AccountAnswer) });

/** @throws {ProblemError} `identity_unavailable`: the answer does not match the schema */
export function readAnswer<Answer>(schema: z.ZodType<Answer>, answer: unknown): Answer {
  const outcome = schema.safeParse(answer);
  // Drop the schema's own error: it quotes the values it rejected.
  if (!outcome.success) throw unreadableAnswer();
  return outcome.data;
}
