/** `admin_channel_rooms`, which the platform does not have: the rooms of channels with subscribers. */
import type { QueryField } from '../model.ts'
import { channelRoomsJson } from '../rows/operation.ts'
import { operation } from '../sdl/operation.ts'

export const admin_channel_rooms: QueryField = {
  kind: 'query',
  name: 'admin_channel_rooms',
  sdl: `"Ingot's own: the rooms of channels with subscribers. Each process reports its hundred largest."
  admin_channel_rooms(filter: ChannelRoomsFilterInput, page: Int = 1, per_page: Int = 20, sort: [ChannelRoomsSortInput!]): ChannelRoomCollection!`,
  types: operation,
  build: channelRoomsJson,
}
