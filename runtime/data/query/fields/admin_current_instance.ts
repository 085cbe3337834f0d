/** `admin_current_instance`: this installation. */
import type { SiteField } from '../model.ts'

export const admin_current_instance: SiteField = {
  kind: 'site',
  name: 'admin_current_instance',
  sdl: 'admin_current_instance: Instance! @public',
  value: (_args, site) => site.instance(),
}
