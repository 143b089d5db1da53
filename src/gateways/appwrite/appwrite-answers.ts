import { z } from 'zod';
import { unreadableAnswer } from './identity-problem.js';

// The SDK types its answers and checks nothing. Only what we use is picked: an account of the users API holds more.
const Id = z.string().min(1).max(255);

/** The SDK's wrapping of the text `Pong!`. Somebody else's page at the endpoint is no answer. */
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

/** @throws {IdentityUnavailableError} the answer has not the shape it should have */
export function readAnswer<Answer>(schema: z.ZodType<Answer>, answer: unknown): Answer {
  const outcome = schema.safeParse(answer);
  // The schema's own error quotes what it refused.
  if (!outcome.success) throw unreadableAnswer();
  return outcome.data;
}
