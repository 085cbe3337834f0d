/** `closed-channel`: a channel has no partial `subscribed`, so all subscriptions are refused. */
import { type Diagnostic, message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import { callbackOf } from '../../site/channels.ts'
import type { CheckedSite } from '../../site/site-rule.ts'

export const closedChannel = message(
  'closed-channel',
  'warning',
  'WS53',
  (channel: string) => ({
    text: `Nobody can subscribe to the channel ${quote(channel)}, so this partial never runs.`,
    hint: `Write the partial \`channels/${channel}/subscribed\`, which prints \`true\` for visitors who may subscribe.`,
  }),
  {
    wrong: {},
    right: { 'app/views/partials/channels/chat/subscribed.liquid': '{% if context.current_user %}true{% endif %}' },
    both: { 'app/views/partials/channels/chat/receive.liquid': '{% log context.params.text %}' },
  },
)

/** Reports partials of channels that have no partial `subscribed`. */
export function checkChannels({ site }: CheckedSite): readonly Diagnostic[] {
  if (site.openEntries || !site.config.websocketsRequireSubscribedPartial) return []
  const callbacks = [...site.partials].flatMap(([name, { file }]) => {
    const found = callbackOf(name)
    return found === null ? [] : [{ ...found, file: file.path }]
  })
  const open = new Set(callbacks.flatMap(({ channel, callback }) => (callback === 'subscribed' ? [channel] : [])))
  return callbacks.flatMap(({ channel, file }) =>
    open.has(channel) ? [] : [closedChannel({ file, start: 0, end: 0 }, channel)],
  )
}
