/** `user_token_create`, which the platform does not have: creates a token with which a program acts as a user. */
import type { MutationField } from '../model.ts'
import { USER_TOKEN_DAYS } from '../user-token-days.ts'
import { userToken } from '../sdl/user-token.ts'
import { createUserToken } from '../writes/user-tokens.ts'
import { missingUser } from '../writes/otp.ts'

export const user_token_create: MutationField = {
  kind: 'mutation',
  name: 'user_token_create',
  sdl: `"Ingot's own: creates a token with which a program acts as a user. It is valid for a number of days (1 to ${USER_TOKEN_DAYS.most}), until the password changes or the user is deleted."
  user_token_create(days: Int = ${USER_TOKEN_DAYS.default}, name: String = "token", scope: UserTokenScope = site, user_id: ID!): UserToken`,
  types: userToken,
  build: createUserToken,
  missing: missingUser,
}
