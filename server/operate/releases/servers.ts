/** Finds the live servers that serve releases of a store. */
import { hostname } from 'node:os'
import type { ISql } from 'postgres'
import { isRunning } from '../../core/leftovers.ts'
import { type FolderServer, folderServers, type FollowingServer, followingServers } from '../../data/store/servers.ts'

/** Seconds since its last heartbeat in which a server counts as live. */
const MAX_SILENCE = 20

/** Returns the live servers. @param place id of the store, from its pointer */
export async function liveServers(sql: ISql, place: string): Promise<readonly FollowingServer[]> {
  return (await followingServers(sql)).filter((server) => server.follows.place === place && isLive(server))
}

/** Returns the live servers that serve the build of a folder instead of releases. */
export async function liveFolderServers(sql: ISql): Promise<readonly FolderServer[]> {
  return (await folderServers(sql)).filter(isLive)
}

function isLive({ host, pid, silence }: FolderServer): boolean {
  return silence < MAX_SILENCE && (host !== hostname() || isRunning(pid))
}

/** Returns the name of a server for messages. */
export function serverName({ host, pid }: Pick<FollowingServer, 'host' | 'pid'>): string {
  return `${host}, process ${pid}`
}
