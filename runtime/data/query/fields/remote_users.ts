/** `remote_users`: a page of users of another site. */
import type { RemoteField } from '../model.ts'
import { remote } from '../sdl/remote.ts'

export const remote_users: RemoteField = {
  kind: 'remote',
  name: 'remote_users',
  sdl: 'remote_users(endpoint: Endpoint!, filter: UsersFilterInput, page: Int = 1, per_page: Int!, sort: [UsersSortInput!]): UserCollection!',
  types: remote,
}
