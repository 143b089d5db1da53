/** A page for people who are signed in. */
import { redirect, type ServerLoad } from '@sveltejs/kit';

export const load: ServerLoad = ({ locals }) => {
  if (!locals.user) redirect(303, '/login');
  return { email: locals.user.email };
};
