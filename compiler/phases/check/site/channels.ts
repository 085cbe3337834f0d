/** The channels of a site, by the names of their partials. */
import { CALLBACK } from '../../analyze/roots.ts'

/** Returns the channel and the callback of a partial such as `channels/chat/receive`; null for all other partials. */
export function callbackOf(name: string): { readonly channel: string; readonly callback: string } | null {
  const [, channel, callback] = CALLBACK.exec(name) ?? []
  return channel === undefined || callback === undefined ? null : { channel, callback }
}
