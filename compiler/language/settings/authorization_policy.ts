/** Authorization policies: what happens to a visitor whom one turns away. */
import type { PolicySettings } from '../../core/model/settings.ts'
import { liquid, logicalName, mapping, settings, text, top, word } from './setting.ts'

const keys = {
  name: { schema: text, says: 'What pages and forms call the policy.', otherwise: 'the path of the file' },
  redirect_to: { schema: liquid, says: 'Where a visitor goes whom the policy turns away; blank for nowhere.' },
  flash_alert: { schema: liquid, says: 'The message that the next page shows to whoever was turned away.' },
  http_status: {
    schema: word('403', '404'),
    says: 'The status of the answer where there is no `redirect_to`.',
    default: '403',
  },
  metadata: {
    schema: mapping,
    says: 'Free values that describe the file; nothing in them changes what it does.',
    default: {},
  },
} as const

export const authorizationPolicy = settings<typeof keys, PolicySettings>({
  noun: 'authorization policy',
  says: 'Who may see a page or send a form: all for whom the file prints `true`. Policies run before what they guard, in the order of its list; the first that turns somebody away ends it.',
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
