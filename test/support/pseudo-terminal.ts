/** A command on a terminal of its own, typed to as by a person: `script` of util-linux makes the terminal. */
import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { onPath } from './on-path.ts'
import { commonVariables, ended } from './product.ts'

/** Null where the machine has none: then tests on a terminal are left out. */
export const terminalProgram = process.platform === 'linux' ? onPath('script') : null

export interface TerminalRun {
  /** All that came to the terminal so far, with its codes. */
  output(): string
  /** Sends keys. */
  type(keys: string): void
  /** Waits until the output, behind what an earlier call waited for, holds a text. */
  says(text: string | RegExp): Promise<void>
  /** Waits for its exit code; 128 and the number of the signal where one ended it. */
  end(): Promise<number | null>
}

export const KEYS = { enter: '\r', tab: '\t', interrupt: '\u0003', end: '\u0004' } as const

/** Columns of each terminal. */
const WIDTH = 90
/** Milliseconds in which a text, or the end, has to come on a machine on which much else runs. */
const PATIENCE = 60_000
/** Printed by `stty` behind the command. */
const STATE = 'state of the terminal: '

/**
 * Runs a command line of `sh` on a terminal. Behind it `stty` says how the terminal was left: `leftSane`.
 * @param env beside what every test of the product gives
 */
export function onTerminal(line: string, cwd: string, env: Readonly<Record<string, string>> = {}): TerminalRun {
  // The shell goes on when the command is interrupted.
  const whole = `trap : INT; stty cols ${WIDTH}; ${line}; code=$?; echo "${STATE}$(stty -a | tr '\\n' ' ')"; exit $code`
  const child = spawn(terminalProgram ?? 'script', ['-qefc', whole, '/dev/null'], {
    cwd,
    env: {
      ...commonVariables(),
      SHELL: '/bin/sh',
      TERM: 'xterm-256color',
      INGOT_JOB_THREADS: '0',
      ...env,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let output = ''
  let seen = 0
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data) => {
      output += String(data)
    })
  const over = ended(child)
  return {
    output: () => output,
    type: (keys) => void child.stdin.write(keys),
    async says(text) {
      const end = performance.now() + PATIENCE
      for (;;) {
        const rest = output.slice(seen)
        const [found] = typeof text === 'string' ? [rest.includes(text) ? text : undefined] : (text.exec(rest) ?? [])
        if (found !== undefined) {
          seen += rest.indexOf(found) + found.length
          return
        }
        if (child.exitCode !== null || performance.now() > end)
          throw new Error(`The terminal never showed ${text}; it showed:\n${JSON.stringify(output)}`)
        await sleep(20)
      }
    },
    async end() {
      const late = new AbortController()
      const code = await Promise.race([over, sleep(PATIENCE, 'late' as const, { signal: late.signal })])
      late.abort()
      if (code !== 'late') return code
      child.kill('SIGKILL')
      throw new Error(`The command never ended; the terminal showed:\n${JSON.stringify(output)}`)
    },
  }
}

/** What a person sees in the end, line by line, without what `stty` said: only what our own codes do is known. */
export function screen(output: string): readonly string[] {
  const [shown = ''] = output.split(STATE)
  return shown
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => line.slice(line.lastIndexOf('\r\u001b[K') + 1).replace('\u001b[K', ''))
}

/** Whether the terminal was left as it was: lines are edited by it, and what is typed is shown. */
export function leftSane(output: string): boolean {
  const state = output.split(STATE)[1] ?? ''
  return [' icanon', ' echo', ' isig', ' opost'].every((flag) => state.includes(flag))
}
