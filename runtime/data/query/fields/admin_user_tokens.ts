/** `admin_user_tokens`, which the platform does not have: the valid tokens with which programs act as users. */
import type { QueryField } from '../model.ts'
import { tokensJson } from '../rows/operation.ts'

export const admin_user_tokens: QueryField = {
  kind: 'query',
  name: 'admin_user_tokens',
  sdl: `"Ingot's own: the valid tokens with which programs act as users, without their texts."
  admin_user_tokens(filter: UserTokensFilterInput, page: Int = 1, per_page: Int = 20, sort: [UserTokensSortInput!]): UserTokenCollection!`,
  build: tokensJson,
}
