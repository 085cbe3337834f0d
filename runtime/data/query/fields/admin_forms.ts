/** `admin_forms`: the forms of the site. */
import { deployed } from '../sdl/deployed.ts'
import { deployedList, FORM_FILTERS } from '../site/deployed-list.ts'

export const admin_forms = deployedList({
  name: 'admin_forms',
  singularName: 'Form',
  types: deployed,
  filters: FORM_FILTERS,
  items: (site) => site.formsAndNotifications('forms'),
})
