/** The resource `profiles`. Profiles are created with their users or by a user form, and changed by profile forms. */
import { withNumericId, type RestResource } from '../resource.ts'

export const profiles: RestResource = {
  paths: ['/api/user_profiles', '/api/user/profiles'],
  resource: 'profile',
  operations: { single: ['update', 'delete'], all: [] },
  createReplyBody: withNumericId,
}
