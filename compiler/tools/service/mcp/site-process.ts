/**
 * A server process for tools that need the site's data. It handles one request at a time, as lines of JSON. It starts with the first
 * request, and restarts after it has ended.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import * as z from 'zod'
import { ToolError } from './tool-error.ts'

const line = z.object({ id: z.number(), answer: z.unknown().optional(), refused: z.string().optional() })

interface RunningProcess {
  readonly child: ChildProcess
  readonly waiting: Map<number, { done(answer: unknown): void; fail(error: Error): void }>
  readonly ended: Promise<void>
}

export class SiteProcess {
  readonly #command: readonly [string, ...string[]]
  #running: RunningProcess | null = null
  #asked = 0

  constructor(command: readonly [string, ...string[]]) {
    this.#command = command
  }

  /** Sends a request and returns the result. @throws ToolError with the reason */
  request(request: { readonly do: string } & Readonly<Record<string, unknown>>): Promise<unknown> {
    const running = (this.#running ??= this.#start())
    const id = ++this.#asked
    return new Promise((resolve, reject) => {
      running.waiting.set(id, { done: resolve, fail: reject })
      running.child.stdin?.write(`${JSON.stringify({ id, ...request })}\n`)
    })
  }

  /** Ends the process after it has closed the site's database. */
  async close(): Promise<void> {
    const running = this.#running
    running?.child.stdin?.end()
    await running?.ended
  }

  #start(): RunningProcess {
    const [program, ...args] = this.#command
    // When this process ends or crashes, the child's standard input closes and the child ends too. Its standard error is for users.
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] })
    let errorOutput = ''
    child.stderr.on('data', (data) => {
      errorOutput = `${errorOutput}${String(data)}`.slice(-2_000)
    })
    let end: () => void = () => undefined
    const ended = new Promise<void>((resolve) => (end = resolve))
    const running: RunningProcess = { child, waiting: new Map(), ended }
    const stop = (reason: string): void => {
      if (this.#running === running) this.#running = null
      const last = errorOutput.trim().split('\n').at(-1) ?? ''
      for (const { fail } of running.waiting.values()) fail(new ToolError(last === '' ? reason : last))
      running.waiting.clear()
      end()
    }
    createInterface({ input: child.stdout }).on('line', (text) => {
      const { id, answer, refused } = line.parse(JSON.parse(text))
      const waiting = running.waiting.get(id)
      running.waiting.delete(id)
      if (refused === undefined) waiting?.done(answer)
      else waiting?.fail(new ToolError(refused))
    })
    child.stdin.on('error', () => undefined)
    child.once('error', (error) => stop(error.message))
    child.once('close', (code, signal) =>
      stop(`The process that runs the site has ended (${signal ?? `code ${code}`}).`),
    )
    return running
  }
}
