/** `admin_user_schema`: the declared properties of users. */
import type { SiteField } from '../model.ts'

export const admin_user_schema: SiteField = {
  kind: 'site',
  name: 'admin_user_schema',
  sdl: 'admin_user_schema: UserSchema! @public',
  value: (_args, site) => ({ properties: site.userSchema() }),
}
