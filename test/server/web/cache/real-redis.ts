/** A real Redis or Valkey, if one is installed. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../../../server/core/free-port.ts'

export interface RedisServer {
  readonly url: string
  close(): Promise<void>
}

/** The installed program; null when there is none. */
export const REAL: string | null =
  ['valkey-server', 'redis-server'].find((name) => {
    try {
      execFileSync('which', [name], { stdio: 'ignore' })
      return true
    } catch {
      return false
    }
  }) ?? null

/** Starts the server, without files. */
export async function realServer(): Promise<RedisServer> {
  const port = await freePort()
  const child: ChildProcess = spawn(REAL ?? '', ['--port', String(port), '--save', '', '--appendonly', 'no'], {
    stdio: 'ignore',
  })
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error(`${REAL} ended with ${child.exitCode}.`)
    await sleep(10)
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    async close() {
      child.kill('SIGKILL')
    },
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      done(true)
    })
    socket.once('error', () => done(false))
  })
}
