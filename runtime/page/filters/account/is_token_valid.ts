/** `is_token_valid`: whether a temporary token is a user's. */
import { str } from '../../values/text.ts'
import type { Numeric, Render, Textual } from '../types.ts'

export const dialect = 'platform'

/** Whether the temporary token is of the user of this id, has not ended, and is not older than the user's password. */
export async function is_token_valid(r: Render, token: Textual, user_id: Numeric): Promise<boolean> {
  // Where no user is kept no token is one's.
  return (await r.services.accounts?.isTokenOf(str(token), str(user_id))) ?? false
}
