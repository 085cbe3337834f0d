/** Runs a command on a separate terminal and types keys. `script` of util-linux creates the terminal. */
import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { onPath } from './on-path.ts'
import { commonVariables, waitForExit } from './product.ts'

/** Path of `script`. Null if it is not installed; terminal tests are then skipped. */
export const terminalProgram = process.platform === 'linux' ? onPath('script') : null

export interface TerminalRun {
  /** Returns the terminal output so far, with control codes. */
  output(): string
  /** Sends keys. */
  type(keys: string): void
  /** Waits until the output contains a text, after the text that the previous call waited for. */
  waitForOutput(text: string | RegExp): Promise<void>
  /** Waits for the exit code. It is 128 plus the signal number if a signal ended the command. */
  end(): Promise<number | null>
}

export const KEYS = { enter: '\r', tab: '\t', interrupt: '\u0003', end: '\u0004' } as const

/** Number of columns of each terminal. */
const WIDTH = 90
/** Maximum milliseconds to wait for a text or for the end, even on a busy machine. */
const MAX_WAIT = 60_000
/** Marks the start of the `stty` output after the command. */
const STATE = 'state of the terminal: '

/**
 * Runs a command line of `sh` on a terminal. Afterwards `stty` prints the state of the terminal for `leftSane`. @param env
 * additional environment variables
 */
export function onTerminal(line: string, cwd: string, env: Readonly<Record<string, string>> = {}): TerminalRun {
  // The shell continues when the command is interrupted.
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
  const exit = waitForExit(child)
  return {
    output: () => output,
    type: (keys) => void child.stdin.write(keys),
    async waitForOutput(text) {
      const end = performance.now() + MAX_WAIT
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
      const code = await Promise.race([exit, sleep(MAX_WAIT, 'late' as const, { signal: late.signal })])
      late.abort()
      if (code !== 'late') return code
      child.kill('SIGKILL')
      throw new Error(`The command never ended; the terminal showed:\n${JSON.stringify(output)}`)
    },
  }
}

/** Returns the lines that a user sees at the end, without the `stty` output. Only control codes that Ingot prints are supported. */
export function visibleLines(output: string): readonly string[] {
  const [shown = ''] = output.split(STATE)
  return shown
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => line.slice(line.lastIndexOf('\r\u001b[K') + 1).replace('\u001b[K', ''))
}

/** Returns true if the terminal is in its usual state: with line editing and echo. */
export function isTerminalRestored(output: string): boolean {
  const state = output.split(STATE)[1] ?? ''
  return [' icanon', ' echo', ' isig', ' opost'].every((flag) => state.includes(flag))
}
