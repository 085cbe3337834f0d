/** `user_token_revoke`, which the platform does not have: revokes a token of a user. */
import type { MutationField } from '../model.ts'
import { userToken } from '../sdl/user-token.ts'
import { missingToken, revokeUserToken } from '../writes/user-tokens.ts'

export const user_token_revoke: MutationField = {
  kind: 'mutation',
  name: 'user_token_revoke',
  sdl: `"Ingot's own: revokes a token of this user."
  user_token_revoke(id: ID!, user_id: ID!): UserToken`,
  types: userToken,
  build: revokeUserToken,
  missing: missingToken,
}
