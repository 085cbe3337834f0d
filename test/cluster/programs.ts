/** Runs programs on a host, with their output in a folder. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Host } from './network.ts'

export interface Start {
  /** The system user that runs the program; root by default. */
  readonly user?: string
  readonly env?: Readonly<Record<string, string>>
}

/** A running program. */
export interface Program {
  readonly child: ChildProcess
  /** Returns everything that the program has printed since its start. */
  output(): string
}

export class Programs {
  readonly #logs: string

  /** @param logs folder for the output of the programs */
  constructor(logs: string) {
    this.#logs = logs
  }

  /** Starts a program that keeps running. */
  start(host: Host, name: string, command: readonly string[], options: Start = {}): Program {
    const file = join(this.#logs, `${host.name}-${name}.log`)
    const output = openSync(file, 'a')
    const { size: before } = fstatSync(output)
    // In a separate process group, so that an interrupt reaches only the script, which then stops the programs in order.
    const child = spawn('ip', inside(host, command, options), {
      env: environment(options),
      stdio: ['ignore', output, output],
      detached: true,
    })
    closeSync(output)
    return { child, output: () => readFileSync(file).subarray(before).toString() }
  }

  /**
   * Runs a program to its end, and returns its output.
   * @throws Error if the program fails
   */
  run(host: Host, command: readonly string[], options: Start = {}): Promise<string> {
    return new Promise((done, fail) => {
      const settings = { env: environment(options), encoding: 'utf8', timeout: 180_000 } as const
      execFile('ip', inside(host, command, options), settings, (error, out, err) => {
        if (error === null) done(out)
        else fail(new Error(`\`${command.join(' ')}\` failed:\n${out}${err}`))
      })
    })
  }
}

function inside({ namespace }: Host, command: readonly string[], { user }: Start): string[] {
  const identity = user === undefined ? [] : ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--init-groups', '--']
  return ['netns', 'exec', namespace, ...identity, ...command]
}

function environment({ env = {} }: Start): NodeJS.ProcessEnv {
  return { PATH: `${process.env.PATH}:/usr/sbin:/sbin`, HOME: '/tmp', LANG: 'C.UTF-8', ...env }
}

/**
 * Checks repeatedly until a condition holds.
 * @throws Error if the condition does not hold in time
 */
export async function until(what: string, seconds: number, holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + seconds * 1000
  let last: unknown = null
  while (performance.now() < end) {
    try {
      if (await holds()) return
    } catch (error) {
      last = error
    }
    await sleep(100)
  }
  const why = last instanceof Error ? `: ${last.message}` : ''
  throw new Error(`${what} did not happen within ${seconds} seconds${why}`)
}
