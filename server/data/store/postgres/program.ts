/** Runs a program of PostgreSQL under an account. */
import { spawn } from 'node:child_process'

/** A system user, by number. */
export interface Account {
  readonly uid: number
  readonly gid: number
}

interface ProgramResult {
  /** The exit code; null when the program could not be started or was killed by a signal. */
  readonly code: number | null
  /** Standard output and standard error, or why the program could not be started. */
  readonly output: string
}

/**
 * Runs a program. Never rejects.
 * @param account null for the current user
 * @param cwd a folder that the account can enter, which the current folder may not be
 */
export function run(
  file: string,
  args: readonly string[],
  account: Account | null,
  cwd: string,
): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      cwd,
      env: environment(),
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
      ...(account ?? {}),
    })
    let output = ''
    const collectOutput = (data: unknown): void => {
      output += String(data)
    }
    child.stdout.on('data', collectOutput)
    child.stderr.on('data', collectOutput)
    child.once('error', (error) => resolve({ code: null, output: error.message }))
    child.once('close', (code) => resolve({ code, output }))
    // `close` may never come: on some systems a started server inherits the pipes and keeps them open.
    child.once('exit', (code) => setTimeout(() => resolve({ code, output }), 500).unref())
  })
}

// Removes the environment variables of PostgreSQL's client programs (PGDATA, PGPORT, …), and sets the language of
// messages to English.
function environment(): NodeJS.ProcessEnv {
  const variables = Object.entries(process.env).filter(([name]) => !name.startsWith('PG') && !name.startsWith('LC_'))
  return { ...Object.fromEntries(variables), LC_ALL: 'C', LANG: 'C', TZ: 'UTC' }
}
