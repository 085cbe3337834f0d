/** `admin_forms`: the forms of the site. */
import { deployed } from '../sdl/deployed.ts'
import { deployedList, textFilters } from '../site/deployed-list.ts'

export const admin_forms = deployedList({
  name: 'admin_forms',
  singularName: 'Form',
  types: deployed,
  filters: textFilters(
    'async_callback_actions',
    'callback_actions',
    'default_payload',
    'flash_notice',
    'liquid_body',
    'name',
    'redirect_to',
    'resource',
    'resource_owner',
  ),
  items: (site) => site.formsAndNotifications('forms'),
})
