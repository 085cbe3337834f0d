/** The servers that serve releases of one place. */
import { hostname } from 'node:os'
import type { ISql } from 'postgres'
import { isRunning } from '../../core/leftovers.ts'
import { type FollowingServer, followingServers } from '../../data/store/servers.ts'

/** Seconds after its last sign of life in which a server is believed to live. */
const ALIVE = 20

/** The servers that live. @param place of their pointer */
export async function serversOf(sql: ISql, place: string): Promise<readonly FollowingServer[]> {
  const own = hostname()
  return (await followingServers(sql)).filter(
    ({ host, pid, follows, silence }) => follows.place === place && silence < ALIVE && (host !== own || isRunning(pid)),
  )
}

/** How a server is named to people. */
export function serverName({ host, pid }: Pick<FollowingServer, 'host' | 'pid'>): string {
  return `${host}, process ${pid}`
}
