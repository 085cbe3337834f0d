/** Runs haproxy. It can be restarted without losing a connection, because the new process takes over the sockets of the old one. */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Host } from './network.ts'
import { type Program, type Programs, until } from './programs.ts'

export interface Balancer {
  readonly host: Host
  /** Starts a new process in place of the running one, which completes its open requests. */
  restart(): Promise<void>
}

/** Starts a balancer. @param config the configuration after the section `global` */
export function startBalancer(programs: Programs, host: Host, home: string, config: string): Balancer {
  const file = join(home, `${host.name}.cfg`)
  const socket = join(home, `${host.name}.sock`)
  writeFileSync(
    file,
    `global
  maxconn 2000
  stats socket ${socket} mode 600 level admin expose-fd listeners
${config}`,
  )
  let running: Program = programs.start(host, 'haproxy', ['haproxy', '-f', file])
  return {
    host,
    async restart() {
      await until('a balancer that runs', 10, async () => existsSync(socket))
      const old = running.child
      running = programs.start(host, 'haproxy', ['haproxy', '-f', file, '-x', socket, '-sf', String(old.pid)])
    },
  }
}
