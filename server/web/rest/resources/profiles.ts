/** Profiles of users, changed by forms of their own. They are created with their users or by a user form. */
import { numbered, type RestResource } from '../resource.ts'

export const profiles: RestResource = {
  paths: ['/api/user_profiles', '/api/user/profiles'],
  of: 'profile',
  operations: { one: ['update', 'delete'], all: [] },
  created: numbered,
}
