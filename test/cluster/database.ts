/** Runs the database of the cluster: a primary with a streaming replica under Patroni, with etcd and haproxy. */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { POSTGRES_PROGRAMS } from './needs.ts'
import type { Host, Network } from './network.ts'
import { type Program, type Programs, until } from './programs.ts'
import { type Balancer, startBalancer } from './balancer.ts'

const USER = 'postgres'
const PASSWORD = 'of-the-cluster'
/** Ports of the balancer: for the primary, and for the replica. */
const [PRIMARY, COPY] = [5000, 5001]
/** Milliseconds in which running writes can end before a planned change of the primary. */
const LAST_WRITES = 500

export interface Database {
  /** The URLs for `DATABASE_URL` and `DATABASE_REPLICA_URL`. */
  readonly url: string
  readonly copyUrl: string
  readonly balancer: Balancer
  /** Returns the host of the primary, as reported by Patroni. */
  primary(): Promise<Host>
  /** Makes the other host the primary, as a planned change. */
  switchOver(): Promise<void>
  /** Starts Patroni again on a host whose processes were all killed. */
  revive(host: Host): void
  /** Waits until there are a primary and a synchronous replica. */
  whole(seconds: number): Promise<void>
}

interface Member {
  readonly Member: string
  readonly Role: string
  readonly State: string
}

/** Starts all processes and creates an empty database. */
export async function startDatabase(network: Network, programs: Programs, home: string): Promise<Database> {
  const [etcd, proxy] = [network.host('etcd'), network.host('dbproxy')]
  const members = [network.host('db1'), network.host('db2')]
  startEtcd(programs, etcd, home)
  const etcdUrl = `${etcd.address}:2379`
  const config = (host: Host): string => join(home, host.name, 'patroni.yml')
  for (const host of members) {
    const folder = join(home, host.name)
    mkdirSync(folder)
    writeFileSync(config(host), patroniConfig(host, members, etcdUrl, folder))
    giveTo(folder)
  }
  const begin = (host: Host): Program => programs.start(host, 'patroni', ['patroni', config(host)], { user: USER })
  const ctl = (...args: readonly string[]): Promise<string> =>
    programs.run(proxy, ['patronictl', '-c', config(members[0] as Host), ...args], { user: USER })
  const listed = async (): Promise<readonly Member[]> => JSON.parse(await ctl('list', '-f', 'json')) as Member[]
  const primary = async (): Promise<Host> => {
    const leader = (await listed()).find(({ Role, State }) => Role === 'Leader' && State === 'running')
    const host = members.find(({ name }) => name === leader?.Member)
    if (host === undefined) throw new Error('there is no primary')
    return host
  }
  const whole = (seconds: number): Promise<void> =>
    until('a primary with a synchronous copy', seconds, async () => {
      const roles = (await listed()).flatMap(({ Role, State }) => (State === 'running' ? Role : []))
      return roles.includes('Leader') && roles.includes('Sync Standby')
    })
  begin(members[0] as Host)
  await until('a first primary', 60, async () => (await primary()).name === members[0]?.name)
  begin(members[1] as Host)
  const balancer = startBalancer(programs, proxy, home, balancerConfig(members))
  await whole(90)
  await createDatabase(programs, members[0] as Host, home)
  const url = (port: number): string => `postgres://ingot:${PASSWORD}@${proxy.address}:${port}/ingot?sslmode=disable`
  return {
    url: url(PRIMARY),
    copyUrl: url(COPY),
    balancer,
    primary,
    async switchOver() {
      const old = await primary()
      // Running writes can end, and new ones wait for the next primary.
      await psql(programs, old, home, 'alter system set default_transaction_read_only = on', 'select pg_reload_conf()')
      await sleep(LAST_WRITES)
      await ctl('switchover', 'ingot', '--master', old.name, '--force')
      await whole(60)
      await psql(programs, old, home, 'alter system reset default_transaction_read_only', 'select pg_reload_conf()')
    },
    revive: (host) => void begin(host),
    whole,
  }
}

/** Makes the user of the database the owner of a folder. */
function giveTo(folder: string): void {
  // Only this user can open the folder, so that no other user can read the passwords.
  chmodSync(folder, 0o700)
  execFileSync('chown', ['-R', `${USER}:${USER}`, folder])
}

function startEtcd(programs: Programs, host: Host, home: string): void {
  const data = join(home, 'etcd')
  const [client, peer] = [`http://${host.address}:2379`, `http://${host.address}:2380`]
  programs.start(host, 'etcd', [
    'etcd',
    ...['--data-dir', data, '--name', 'etcd'],
    ...['--listen-client-urls', client, '--advertise-client-urls', client],
    ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer, '--initial-cluster', `etcd=${peer}`],
  ])
}

async function createDatabase(programs: Programs, host: Host, home: string): Promise<void> {
  const role = `create role ingot login password '${PASSWORD}'`
  await psql(programs, host, home, role, 'create database ingot owner ingot')
}

/** Runs statements as the superuser of a host. */
async function psql(programs: Programs, host: Host, home: string, ...statements: readonly string[]): Promise<void> {
  const place = ['-h', join(home, host.name), '-d', 'postgres', '-v', 'ON_ERROR_STOP=1']
  const words = statements.flatMap((statement) => ['-c', statement])
  await programs.run(host, ['psql', ...place, ...words], { user: USER })
}

/**
 * Returns the configuration of Patroni. The lease is short, so that a lost primary is replaced soon: the primary has to renew it every few
 * seconds, and otherwise the replica takes over.
 */
function patroniConfig(host: Host, members: readonly Host[], etcd: string, folder: string): string {
  const network = members
    .map(({ address }) => `    - host replication replicator ${address}/32 scram-sha-256`)
    .join('\n')
  return `scope: ingot
name: ${host.name}
restapi:
  listen: ${host.address}:8008
  connect_address: ${host.address}:8008
etcd3:
  host: ${etcd}
bootstrap:
  dcs:
    ttl: 10
    loop_wait: 1
    retry_timeout: 3
    synchronous_mode: true
    postgresql:
      use_pg_rewind: true
      parameters:
        max_connections: 200
        wal_keep_size: 256MB
        password_encryption: scram-sha-256
  initdb:
    - encoding: UTF8
    - locale: C.UTF-8
    - data-checksums
postgresql:
  listen: ${host.address}:5432
  connect_address: ${host.address}:5432
  data_dir: ${join(folder, 'data')}
  bin_dir: ${POSTGRES_PROGRAMS}
  pgpass: ${join(folder, 'pgpass')}
  authentication:
    superuser: { username: postgres, password: ${PASSWORD} }
    replication: { username: replicator, password: ${PASSWORD} }
  parameters:
    unix_socket_directories: ${folder}
  pg_hba:
    - local all all trust
${network}
    - host all all 10.77.0.0/24 scram-sha-256
`
}

/** Returns the configuration of haproxy. It asks Patroni on each host whether the host is the primary or the replica. */
function balancerConfig(members: readonly Host[]): string {
  const part = (name: string, port: number, path: string): string => `listen ${name}
  bind :${port}
  option httpchk OPTIONS ${path}
  http-check expect status 200
  default-server inter 500ms fastinter 200ms fall 2 rise 1 on-marked-down shutdown-sessions
${members.map(({ name, address }) => `  server ${name} ${address}:5432 check port 8008`).join('\n')}
`
  return `defaults
  mode tcp
  timeout connect 1s
  timeout check 1s
  timeout client 1h
  timeout server 1h
${part('primary', PRIMARY, '/primary')}
${part('copy', COPY, '/replica')}`
}
