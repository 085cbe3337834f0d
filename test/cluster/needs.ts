/** Checks the requirements of the cluster: programs of Debian, and the permission to create network namespaces. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Folder of the programs that come with PostgreSQL. */
export const POSTGRES_PROGRAMS = '/usr/lib/postgresql/15/bin'

/** The required programs, each with its Debian package. */
const PROGRAMS = {
  ip: 'iproute2',
  nft: 'nftables',
  setpriv: 'util-linux',
  patroni: 'patroni',
  patronictl: 'patroni',
  etcd: 'etcd-server',
  etcdctl: 'etcd-client',
  haproxy: 'haproxy',
  'redis-server': 'redis-server',
  [`${POSTGRES_PROGRAMS}/postgres`]: 'postgresql-15',
} as const

/** Returns what is missing on this machine, as sentences for the user of the script. Installs nothing. */
export function missing(): readonly string[] {
  const needed: string[] = []
  const packages = new Set(
    Object.entries(PROGRAMS).flatMap(([program, name]) => (isThere(program) ? [] : [name as string])),
  )
  if (packages.size > 0)
    needed.push(`Programs are missing: apt-get install --no-install-recommends ${[...packages].toSorted().join(' ')}`)
  if (process.getuid?.() !== 0) needed.push('Network namespaces are made by root: run it as root.')
  else if (packages.size === 0 && !canMakeNamespaces()) needed.push('This machine makes no network namespaces.')
  if (spawnSync('id', ['postgres']).status !== 0) needed.push("There is no user 'postgres', which postgresql-15 makes.")
  return needed
}

function isThere(program: string): boolean {
  if (program.startsWith('/')) return existsSync(program)
  const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/sbin']
  return folders.some((folder) => existsSync(`${folder}/${program}`))
}

function canMakeNamespaces(): boolean {
  const name = `ingot-try-${process.pid}`
  const made = spawnSync('ip', ['netns', 'add', name]).status === 0
  if (made) spawnSync('ip', ['netns', 'del', name])
  return made
}
