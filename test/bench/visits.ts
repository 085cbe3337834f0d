/** Sends requests at a constant rate while something else happens, and runs commands of the product. */
import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { bin } from './serving.ts'

export interface Visits {
  /** The duration of each request, in milliseconds. */
  readonly times: readonly number[]
  readonly failed: readonly string[]
}

/** Sends requests at a constant rate, whether or not responses arrive, until `over` resolves. Sends at least `least` requests. */
export async function visits(
  visit: (n: number) => Promise<void>,
  rate: number,
  over: Promise<unknown>,
  least: number,
): Promise<Visits> {
  const times: number[] = []
  const failed: string[] = []
  const open: Promise<void>[] = []
  let going = true
  const ended = over.finally(() => {
    going = false
  })
  const begun = performance.now()
  for (let n = 0; going || n < least; n++) {
    const wait = begun + (n * 1000) / rate - performance.now()
    if (wait > 0) await sleep(wait)
    const asked = performance.now()
    const timed = visit(n).then(
      () => void times.push(performance.now() - asked),
      (error: unknown) => void failed.push(String(error)),
    )
    open.push(timed)
  }
  await Promise.all([...open, ended])
  return { times: [...times, ...failed.map(() => Number.POSITIVE_INFINITY)], failed }
}

/** Runs a command and returns what it prints. @throws Error if it fails */
export async function ran(words: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
  const child: ChildProcess = spawn(process.execPath, [bin, ...words], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout?.on('data', (data) => {
    text += String(data)
  })
  const code = await new Promise((end) => child.once('close', end))
  if (code !== 0) throw new Error(`ingot ${words.join(' ')} ended with ${code}: ${text}`)
  return text
}

export function percentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
