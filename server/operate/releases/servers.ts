/** Finds the live servers that serve releases of a store. */
import { hostname } from 'node:os'
import type { ISql } from 'postgres'
import { isRunning } from '../../core/leftovers.ts'
import { type FollowingServer, followingServers } from '../../data/store/servers.ts'

/** Seconds since its last heartbeat in which a server counts as live. */
const MAX_SILENCE = 20

/** Returns the live servers. @param place id of the store, from its pointer */
export async function liveServers(sql: ISql, place: string): Promise<readonly FollowingServer[]> {
  const ownHost = hostname()
  return (await followingServers(sql)).filter(
    ({ host, pid, follows, silence }) =>
      follows.place === place && silence < MAX_SILENCE && (host !== ownHost || isRunning(pid)),
  )
}

/** Returns the name of a server for messages. */
export function serverName({ host, pid }: Pick<FollowingServer, 'host' | 'pid'>): string {
  return `${host}, process ${pid}`
}
