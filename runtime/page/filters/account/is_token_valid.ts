/** `is_token_valid`: whether a temporary token belongs to a user. */
import { str } from '../../values/text.ts'
import type { Numeric, Render, Textual } from '../types.ts'

export const dialect = 'platform'

/**
 * Whether the temporary token belongs to the user with this id, has not expired, and is not older than the user's
 * password.
 */
export async function is_token_valid(r: Render, token: Textual, user_id: Numeric): Promise<boolean> {
  // Without user accounts, no token is valid.
  return (await r.services.accounts?.isTokenOf(str(token), str(user_id))) ?? false
}
