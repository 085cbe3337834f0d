/** `channel_send_message`: sends a message to the subscribers of a room. */
import { isObject } from '../../values/json-data.ts'
import { type EffectField, valueError } from '../model.ts'
import { effect } from '../sdl/effect.ts'

/** Maximum length of a payload as JSON, as for messages of clients. */
const MAX_LENGTH = 256 * 1024

export const channel_send_message: EffectField = {
  kind: 'effect',
  isSlow: false,
  name: 'channel_send_message',
  sdl: `"Sends a message to the subscribers of a room, after the transaction is committed."
  channel_send_message(channel_name: String!, payload: JSONPayload!, room_id: String!): String @public`,
  types: effect,
  async perform({ channel_name: channel, payload, room_id: room }, effects) {
    if (!isObject(payload)) throw valueError('`payload` must be an object.')
    const text = JSON.stringify(payload)
    if (text.length > MAX_LENGTH) throw valueError(`\`payload\` is longer than ${MAX_LENGTH} characters.`)
    await effects.sendMessage({ channel: String(channel), room: String(room), payload: text })
    return 'sent'
  },
}
