/** The resource `profiles`. Profiles are created with their users or by a user form, and changed by profile forms. */
import { withNumericId, type RestResource } from '../resource.ts'

export const profiles: RestResource = {
  paths: ['/api/user_profiles', '/api/user/profiles'],
  of: 'profile',
  operations: { one: ['update', 'delete'], all: [] },
  createReplyBody: withNumericId,
}
