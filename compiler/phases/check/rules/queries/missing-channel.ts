/** `missing-channel`: a mutation sends a message to a channel that the site does not have. */
import { suggestName } from '../../../../core/diagnostics/change.ts'
import { type Diagnostic, message } from '../../../../core/diagnostics/diagnostic.ts'
import { type NameList, quote } from '../../../../core/diagnostics/words.ts'
import { callbackOf } from '../../site/channels.ts'
import { namesInQueries } from '../../site/query-names.ts'
import type { CheckedSite } from '../../site/site-rule.ts'

const QUERY = (channel: string): string => `mutation {
  channel_send_message(channel_name: "${channel}", room_id: "1", payload: { text: "Hello" })
}`

export const missingChannel = message(
  'missing-channel',
  'warning',
  'WS52',
  (name: string, knownNames: NameList) => ({
    text: `The site has no channel ${quote(name)}, so nobody gets this message.`,
    ...(suggestName(name, knownNames) ?? {
      hint: `Write the partial \`channels/${name}/subscribed\`, which prints \`true\` for visitors who may subscribe.`,
    }),
  }),
  {
    wrong: {
      'app/graphql/say.graphql': QUERY('caht'),
      'app/views/pages/index.liquid': "{% graphql sent = 'say' %}{{ sent }}",
      'app/views/partials/channels/chat/subscribed.liquid': 'true',
    },
    right: {
      'app/graphql/say.graphql': QUERY('chat'),
      'app/views/pages/index.liquid': "{% graphql sent = 'say' %}{{ sent }}",
      'app/views/partials/channels/chat/subscribed.liquid': 'true',
    },
  },
)

/** Reports channels that mutations name and that the site does not have. */
export function checkQueriedChannels({ site, operations, memo }: CheckedSite): readonly Diagnostic[] {
  if (site.openEntries || !site.config.websocketsRequireSubscribedPartial) return []
  const names = [...site.partials.keys()].flatMap((partial) => callbackOf(partial) ?? [])
  const channels = new Set(names.flatMap(({ channel, callback }) => (callback === 'subscribed' ? [channel] : [])))
  return namesInQueries(operations, memo).flatMap(({ kind, name, span }) =>
    kind !== 'channel' || channels.has(name) ? [] : [missingChannel(span, name, [...channels])],
  )
}
