/** Runs the hosts of Ingot: three that serve pages, one that runs jobs, and the balancer and Redis that they need. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Database } from './database.ts'
import { type Balancer, startBalancer } from './balancer.ts'
import type { Host, Network } from './network.ts'
import { type Program, type Programs, until } from './programs.ts'
import { siteFiles } from './site.ts'

const PORT = 3000

export interface Servers {
  /** The URL for visitors. */
  readonly url: string
  readonly balancer: Balancer
  readonly hosts: readonly Host[]
  readonly worker: Host
  /** Folder of uploaded files, shared by all servers. */
  readonly files: string
  /** Builds a version of the site and stores it as a release. Returns the id of the release. */
  push(version: string): Promise<string>
  /** Activates a release; null activates the previous one. */
  activate(id: string | null): Promise<void>
  /** Starts Ingot on a host. */
  begin(host: Host): Program
}

/** The parts from which the servers are built. */
export interface ServersParts {
  readonly network: Network
  readonly programs: Programs
  readonly database: Database
  /** Path of the command `ingot`. */
  readonly ingot: string
  /** Folder for all files of the servers. */
  readonly home: string
}

/** Creates the hosts, and starts the balancer and Redis. */
export function makeServers({ network, programs, database, ingot, home }: ServersParts): Servers {
  const [proxy, redis, desk] = [network.host('proxy'), network.host('redis'), network.host('desk')]
  const hosts = ['server1', 'server2', 'server3'].map((name) => network.host(name))
  const worker = network.host('worker')
  const data = join(home, 'shared')
  const site = join(home, 'site')
  mkdirSync(data)
  mkdirSync(site)
  programs.start(redis, 'redis', ['redis-server', '--bind', redis.address, '--save', '', '--protected-mode', 'no'])
  const balancer = startBalancer(programs, proxy, home, balancerConfig(hosts))
  const settings = {
    HOST: '0.0.0.0',
    PORT: String(PORT),
    INGOT_ENV: 'production',
    INGOT_WORKERS: '2',
    INGOT_JOB_THREADS: '0',
    INGOT_JOB_SILENCE: '10',
    INGOT_PROXIES: '1',
    INGOT_HOSTS: proxy.address,
    INGOT_SECRET: 'the secret of all servers of the cluster',
    INGOT_DATA: data,
    INGOT_RELEASES: 'database',
    DATABASE_URL: database.url,
    DATABASE_REPLICA_URL: database.copyUrl,
    REDIS_URL: `redis://${redis.address}:6379`,
  }
  const run = (...args: readonly string[]): Promise<string> =>
    programs.run(desk, [process.execPath, ingot, ...args], { env: settings })
  return {
    url: `http://${proxy.address}`,
    balancer,
    hosts,
    worker,
    files: join(data, 'files'),
    async push(version) {
      const folder = join(home, `version-${version}`)
      writeFiles(folder, siteFiles(version))
      await run('build', folder)
      const id = /^[\da-f]{64}/.exec(await run('release', 'push', folder, site))?.[0]
      if (id === undefined) throw new Error('the release has no id')
      return id
    },
    async activate(id) {
      await run('release', ...(id === null ? ['rollback'] : ['activate', id]), site)
    },
    begin(host) {
      const [command, threads] = host === worker ? ['worker', '2'] : ['serve', '0']
      const env = { ...settings, INGOT_JOB_THREADS: threads }
      return programs.start(host, 'ingot', [process.execPath, ingot, command, site], { env })
    },
  }
}

/** Starts Ingot on all hosts, and waits until all of them respond. */
export async function startServers(servers: Servers): Promise<void> {
  const ready = (host: Host): Promise<void> => {
    const program = servers.begin(host)
    return until(`Ingot on ${host.name}`, 90, async () => {
      if (program.child.exitCode !== null) throw new Error(program.output())
      return serves(program)
    })
  }
  await Promise.all([...servers.hosts, servers.worker].map(ready))
}

/** Returns whether Ingot has logged that it serves pages or runs jobs. */
export function serves(program: Program): boolean {
  return /"msg":"(?:http:\/\/|running the jobs of )/.test(program.output())
}

function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

/**
 * Returns the configuration of the balancer. An unreachable server is removed after a second. A request that has not reached the server is
 * sent to another one. A request that has reached it is repeated only if it only reads.
 */
function balancerConfig(hosts: readonly Host[]): string {
  return `defaults
  mode http
  timeout connect 400ms
  timeout check 2s
  timeout client 30s
  timeout server 30s
  timeout http-request 10s
  option http-server-close
  option forwardfor
  option redispatch 1
  retries 3
  retry-on conn-failure empty-response response-timeout
frontend web
  bind :80
  http-request disable-l7-retry unless METH_GET
  default_backend servers
backend servers
  balance roundrobin
  option httpchk GET /_ingot/ready
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1
${hosts.map(({ name, address }) => `  server ${name} ${address}:${PORT} check`).join('\n')}
`
}
