/** Authorization policies: what happens to a visitor whom one turns away. */
import type { PolicySettings } from '../model/settings.ts'
import { liquid, logicalName, mapping, settings, text, top, word } from './setting.ts'

const keys = {
  name: { schema: text },
  redirect_to: { schema: liquid },
  flash_alert: { schema: liquid },
  http_status: { schema: word('403', '404') },
  metadata: { schema: mapping },
} as const

export const authorizationPolicy = settings<typeof keys, PolicySettings>({
  noun: 'authorization policy',
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
