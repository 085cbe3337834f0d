/** Settings of authorization policies: the response for visitors that a policy rejects. */
import type { PolicySettings } from '../../core/model/settings.ts'
import { liquid, logicalName, settings, top, word, customValues, fileName } from './setting.ts'

const keys = {
  name: fileName('The name by which pages and forms refer to the policy.'),
  redirect_to: {
    schema: liquid,
    description:
      'The URL to which rejected visitors are redirected (302); blank for no redirect. The parameter `return_to` is added: the URL that the visitor wanted to open, or after a request other than `GET` the page that sent it. `do_not_add_return_to_to_authorization_policies` in `app/config.yml` leaves it out.',
  },
  flash_alert: { schema: liquid, description: 'The message that the next page shows to a rejected visitor.' },
  http_status: {
    schema: word('403', '404'),
    description:
      'The status of the response if there is no `redirect_to`: `403`, or `404` to hide that the page exists.',
    default: '403',
  },
  metadata: customValues(),
} as const

export const authorizationPolicy = settings<typeof keys, PolicySettings>({
  noun: 'authorization policy',
  description:
    'Decides who may open a page or submit a form: the file prints `true` to allow the request. The policies of a page or form run first, in the listed order, until one rejects the request.',
  keys,
  read: (from, file) => ({
    kind: 'authorization_policy',
    name: logicalName(from.value('name') ?? file.name, file),
    nameSpan: from.span('name') ?? top(file),
    redirectTo: from.liquid('redirect_to'),
    flashAlert: from.liquid('flash_alert'),
    httpStatus: from.value('http_status') === '404' ? 404 : 403,
    metadata: from.map('metadata'),
  }),
})
