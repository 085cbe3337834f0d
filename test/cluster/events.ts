/** The events of the cluster that happen while visitors send requests. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from './database.ts'
import type { Network } from './network.ts'
import { until } from './programs.ts'
import { type Servers, serves } from './servers.ts'

export interface Cluster {
  readonly network: Network
  readonly database: Database
  readonly servers: Servers
  /** The ids of the releases. */
  readonly releases: { readonly first: string; readonly second: string }
}

export interface ClusterEvent {
  readonly name: string
  /** Total time of the requests in seconds, including a quiet beginning. */
  readonly seconds: number
  /** Whether no database accepts writes for a while, so that some requests are refused. */
  readonly readOnly: boolean
  /** The version that all pages show after the event. */
  readonly version: string
  /** Causes the event. Resolves when the cluster should work completely again. */
  happen(cluster: Cluster): Promise<void>
}

const plain = { seconds: 25, readOnly: false, version: '1' }

/** @param around total time in seconds of the requests around the loss of a primary */
export function clusterEvents(around: number): readonly ClusterEvent[] {
  return [
    {
      ...plain,
      name: 'a release is deployed',
      version: '2',
      happen: ({ servers, releases }) => servers.activate(releases.second),
    },
    { ...plain, name: 'it is rolled back', happen: ({ servers }) => servers.activate(null) },
    { ...plain, name: 'a server is killed', happen: killServer },
    { ...plain, name: 'a server is cut off', happen: cutServer },
    { ...plain, name: 'the primary is switched', seconds: 40, happen: ({ database }) => database.switchOver() },
    { ...plain, name: 'haproxy is restarted', happen: ({ servers }) => servers.balancer.restart() },
    { ...plain, name: 'haproxy of the database is', happen: ({ database }) => database.balancer.restart() },
    { ...plain, name: 'the primary is killed', seconds: around, readOnly: true, happen: killPrimary },
  ]
}

async function killServer({ network, servers }: Cluster): Promise<void> {
  const [host] = servers.hosts
  if (host === undefined) return
  network.kill(host)
  await sleep(5_000)
  const program = servers.begin(host)
  await until('a server that answers again', 60, async () => serves(program))
}

async function cutServer({ network, servers }: Cluster): Promise<void> {
  const [, host] = servers.hosts
  if (host === undefined) return
  network.cut(host)
  await sleep(10_000)
  network.join(host)
}

async function killPrimary({ network, database }: Cluster): Promise<void> {
  const host = await database.primary()
  network.kill(host)
  await sleep(40_000)
  database.revive(host)
  await database.whole(120)
}
