/** Runs a program of PostgreSQL to its end, as the account that it must have. */
import { spawn } from 'node:child_process'

/** A user of the system, by number. */
export interface Account {
  readonly uid: number
  readonly gid: number
}

export interface Ran {
  /** Null where it could not be started, or was ended by a signal. */
  readonly code: number | null
  /** Both of its outputs, or why it could not be started. */
  readonly output: string
}

/**
 * Runs a program; never rejects.
 * @param account null for our own
 * @param cwd a folder that the account can walk to: ours may be closed to it
 */
export function run(file: string, args: readonly string[], account: Account | null, cwd: string): Promise<Ran> {
  return new Promise((done) => {
    const child = spawn(file, args, {
      cwd,
      env: environment(),
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
      ...(account ?? {}),
    })
    let output = ''
    const hear = (data: unknown): void => {
      output += String(data)
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.once('error', (error) => done({ code: null, output: error.message }))
    child.once('close', (code) => done({ code, output }))
    // A server that inherits the pipes, as on some systems, keeps them open for as long as it lives.
    child.once('exit', (code) => setTimeout(() => done({ code, output }), 500).unref())
  })
}

// What is set for the client programs of PostgreSQL (PGDATA, PGPORT, …) must not change ours; messages are in English.
function environment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('PG') && !name.startsWith('LC_'))
  return { ...Object.fromEntries(kept), LC_ALL: 'C', LANG: 'C', TZ: 'UTC' }
}
