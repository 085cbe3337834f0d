/** `users`: a page of accounts, with the same rules as `records`. */
import type { QueryField } from '../model.ts'
import { rowQuery } from '../rows/filter.ts'
import { collectionJson } from '../rows/page.ts'
import { user } from '../sdl/user.ts'

export const users: QueryField = {
  kind: 'query',
  name: 'users',
  sdl: 'users(filter: UsersFilterInput, options: QueryOptionsInput, page: Int = 1, per_page: Int!, sort: [UsersSortInput!]): UserCollection! @public',
  types: user,
  build: (call, build) => collectionJson(call, rowQuery({ rows: 'users', filter: call.args['filter'] }, build), build),
}
