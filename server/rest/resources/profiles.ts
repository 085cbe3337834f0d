/** Profiles of users by forms of their own. They are made with their users, or by a form of the user. */
import { numbered, type RestResource } from '../resource.ts'

export const profiles: RestResource = {
  paths: ['/api/user_profiles', '/api/user/profiles'],
  of: 'profile',
  operations: { one: ['update', 'delete'], all: [] },
  created: numbered,
}
