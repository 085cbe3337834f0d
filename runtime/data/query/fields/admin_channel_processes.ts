/** `admin_channel_processes`, which the platform does not have: the processes with open WebSockets. */
import type { QueryField } from '../model.ts'
import { channelProcessesJson } from '../rows/operation.ts'
import { operation } from '../sdl/operation.ts'

export const admin_channel_processes: QueryField = {
  kind: 'query',
  name: 'admin_channel_processes',
  sdl: `"Ingot's own: the processes with open WebSockets."
  admin_channel_processes(page: Int = 1, per_page: Int = 20, sort: [ChannelProcessesSortInput!]): ChannelProcessCollection!`,
  types: operation,
  build: channelProcessesJson,
}
