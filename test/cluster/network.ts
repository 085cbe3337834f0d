/**
 * Creates hosts as network namespaces on one bridge. The bridge has a separate namespace, so that the network of the machine is not
 * affected.
 */
import { execFileSync, spawnSync } from 'node:child_process'

export interface Host {
  readonly name: string
  readonly address: string
  readonly namespace: string
}

const PREFIX = 'ingot-cluster'
const SUBNET = '10.77.0'

export class Network {
  readonly #own = `${PREFIX}-${process.pid}`
  readonly #bridge = `${this.#own}-bridge`
  readonly #hosts: Host[] = []

  constructor() {
    removeAbandoned()
    run('ip', 'netns', 'add', this.#bridge)
    this.#inside(this.#bridge, 'ip', 'link', 'add', 'lan', 'type', 'bridge')
    this.#inside(this.#bridge, 'ip', 'link', 'set', 'lan', 'up')
  }

  /** Creates a host. */
  host(name: string): Host {
    const address = `${SUBNET}.${this.#hosts.length + 10}`
    const host = { name, address, namespace: `${this.#own}-${name}` }
    const { namespace } = host
    run('ip', 'netns', 'add', namespace)
    this.#hosts.push(host)
    run('ip', 'link', 'add', 'eth0', 'netns', namespace, 'type', 'veth', 'peer', 'name', name, 'netns', this.#bridge)
    this.#inside(this.#bridge, 'ip', 'link', 'set', name, 'master', 'lan', 'up')
    this.#inside(namespace, 'ip', 'link', 'set', 'lo', 'up')
    this.#inside(namespace, 'ip', 'address', 'add', `${address}/24`, 'dev', 'eth0')
    this.#inside(namespace, 'ip', 'link', 'set', 'eth0', 'up')
    this.#inside(namespace, 'nft', 'add table inet cut; add chain inet cut in { type filter hook input priority 0; }')
    this.#inside(namespace, 'nft', 'add chain inet cut out { type filter hook output priority 0; }')
    return host
  }

  /** Silently drops everything that a host sends and receives. */
  cut({ namespace }: Host): void {
    for (const [chain, way] of [
      ['in', 'iifname'],
      ['out', 'oifname'],
    ])
      this.#inside(namespace, 'nft', `add rule inet cut ${chain} ${way} "eth0" drop`)
  }

  /** Reverts `cut`. */
  join({ namespace }: Host): void {
    this.#inside(namespace, 'nft', 'flush chain inet cut in; flush chain inet cut out')
  }

  /** Kills all processes of a host immediately. */
  kill({ namespace }: Host): void {
    killIn(namespace)
  }

  /** Kills all processes, and removes the hosts. */
  remove(): void {
    removeNamed(`${this.#own}-`)
  }

  #inside(namespace: string, ...command: readonly string[]): void {
    run('ip', 'netns', 'exec', namespace, ...command)
  }
}

function run(program: string, ...args: readonly string[]): void {
  execFileSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'] })
}

function namespaces(): readonly string[] {
  const { stdout = '' } = spawnSync('ip', ['netns', 'list'], { encoding: 'utf8' })
  return stdout.split('\n').flatMap((line) => line.split(' ')[0] || [])
}

/** Removes the namespaces of earlier runs that were killed. */
function removeAbandoned(): void {
  const pids = new Set(namespaces().flatMap((name) => new RegExp(`^${PREFIX}-(\\d+)-`).exec(name)?.[1] ?? []))
  for (const pid of pids) if (!isRunning(Number(pid))) removeNamed(`${PREFIX}-${pid}-`)
}

function removeNamed(beginning: string): void {
  const names = namespaces().filter((name) => name.startsWith(beginning))
  for (const name of names) killIn(name)
  for (const name of names) spawnSync('ip', ['netns', 'del', name])
}

function killIn(namespace: string): void {
  // Repeats, because a process may start another process while it is being killed.
  for (let look = 0; look < 5; look++) {
    const { stdout = '' } = spawnSync('ip', ['netns', 'pids', namespace], { encoding: 'utf8' })
    const pids = stdout.split('\n').filter(Boolean).map(Number)
    if (pids.length === 0) return
    for (const pid of pids) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // It has ended by itself.
      }
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
