/** `instance`: old name of `admin_current_instance`. */
import type { SiteField } from '../model.ts'

export const instance: SiteField = {
  kind: 'site',
  name: 'instance',
  sdl: 'instance: Instance @deprecated @public',
  value: (_args, site) => site.instance(),
}
