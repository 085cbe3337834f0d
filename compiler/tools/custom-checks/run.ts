/**
 * Starts the process of the custom checks, and ends it at the time limit. After a crash, another process continues without the check or the
 * module that has caused it. This file is the only one that runs JavaScript of a site, and only `ingot check` may call it.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  type Answer,
  type CheckRequest,
  readAnswers,
  readPlace,
  type RunningPlace,
  type StartPlace,
} from './messages.ts'

export interface RunResult {
  readonly answers: readonly Answer[]
  readonly endings: readonly Ending[]
  /** What the checks have printed. */
  readonly output: string
}

/** A process that did not run to its end. */
export interface Ending {
  /** Where it was; null before its first module. */
  readonly place: RunningPlace | null
  /** Without a period. Null at the time limit. */
  readonly reason: string | null
}

/** Limits of the processes. */
export interface RunLimits {
  /** Seconds for all checks. */
  readonly seconds: number
  /** Megabytes of JavaScript values. */
  readonly megabytes: number
}

/** Milliseconds to wait for the output of a process that has ended. A process that it has started may keep the pipe open. */
const OUTPUT_TIME = 500
/** Milliseconds after the limit at which a process ends itself, if the one that should end it is gone. */
const GRACE = 2_000
/** Maximum number of characters to keep of what the checks print. */
const MAX_OUTPUT = 200_000
/** The report of V8 when the memory is full. */
const MEMORY_REPORT = /(?:^|\n)\n?(?:<--- Last few GCs --->|\[\d+:0x[0-9a-f]+\][^]*?FATAL ERROR|FATAL ERROR:)[^]*$/

/**
 * Variables of the environment that may hold secrets. The checks are code that the author has chosen, but it has no use for them, and it
 * may send them elsewhere.
 */
const SECRETS =
  /^(?:INGOT_|MPKIT_|PG[A-Z]|AWS_|DATABASE_URL|REDIS_URL|VALKEY_URL|SMTP)|SECRET|TOKEN|PASSW|CREDENTIAL|PRIVATE_?KEY|API_?KEY|ACCESS_?KEY/i

/**
 * Runs checks. The first process is started before this returns. Never throws for what they do.
 * @param program path of the script of the process
 * @param known how processes of an earlier run of the same checks ended; what has caused that is left out, and reported again
 */
export async function runChecks(
  request: Omit<CheckRequest, 'limit'>,
  program: string,
  { seconds, megabytes }: RunLimits,
  known: readonly Ending[] = [],
): Promise<RunResult> {
  const deadline = performance.now() + seconds * 1_000
  const folder = mkdtempSync(join(tmpdir(), 'ingot-checks-'))
  const endings: Ending[] = [...known]
  let output = ''
  try {
    const complete: CheckRequest = { ...request, limit: seconds * 1_000 + GRACE }
    writeFileSync(join(folder, 'request.json'), JSON.stringify(complete))
    let start: StartPlace | null = known.reduce<StartPlace>(
      (before, { place }) => ({ ...without(before, place), file: 0, check: 0 }),
      { withoutModules: [], withoutChecks: [], file: 0, check: 0 },
    )
    while (start !== null) {
      const ended: ProcessEnd = await runProcess(program, folder, start, { root: request.root, deadline, megabytes })
      output = (output + ended.output.replace(MEMORY_REPORT, '')).slice(0, MAX_OUTPUT)
      if (readAnswers(read(folder, 'answers.jsonl')).some(({ kind }) => kind === 'done')) break
      const place = readPlace(read(folder, 'place.json'))
      endings.push({ place, reason: ended.isLate ? null : reasonOf(ended, megabytes) })
      start = ended.isLate || place === null ? null : without(start, place)
    }
    return { answers: readAnswers(read(folder, 'answers.jsonl')), endings, output }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Returns where to continue after a crash: without the check, or without the module whose code was loaded. */
function without(start: StartPlace, place: RunningPlace | null): StartPlace {
  const { module = null, file = null, check = null, code = null } = place ?? {}
  if (file !== null && check !== null && code !== null)
    return { ...start, withoutChecks: [...start.withoutChecks, code], file, check }
  return module === null ? start : { ...start, withoutModules: [...start.withoutModules, module] }
}

interface ProcessEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly error: Error | null
  readonly isLate: boolean
  readonly output: string
}

interface ProcessOptions {
  readonly root: string
  readonly megabytes: number
  /** Milliseconds on the clock of `performance.now`. */
  readonly deadline: number
}

async function runProcess(
  program: string,
  folder: string,
  start: StartPlace,
  { root, megabytes, deadline }: ProcessOptions,
): Promise<ProcessEnd> {
  const child = spawn(process.execPath, [`--max-old-space-size=${megabytes}`, program, folder, JSON.stringify(start)], {
    cwd: root,
    env: withoutSecrets(process.env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const collect = (text: string): void => {
    // The end contains the report of V8, and the start what the author wants to see.
    output =
      output.length < 2 * MAX_OUTPUT ? output + text : output.slice(0, MAX_OUTPUT) + (output + text).slice(-MAX_OUTPUT)
  }
  child.stdout.setEncoding('utf8').on('data', collect)
  child.stderr.setEncoding('utf8').on('data', collect)
  let isLate = false
  const timer = setTimeout(
    () => {
      void endIfRunning(child).then((ended) => {
        isLate = ended
      })
    },
    Math.max(deadline - performance.now(), 0),
  )
  const stop = (): void => void child.kill('SIGKILL')
  process.once('exit', stop)
  try {
    return await new Promise<ProcessEnd>((resolve) => {
      child.once('exit', () => {
        const endOutput = (): void => {
          child.stdout.destroy()
          child.stderr.destroy()
        }
        setTimeout(endOutput, OUTPUT_TIME).unref()
      })
      child.once('error', (error) => resolve({ code: null, signal: null, error, isLate: false, output }))
      child.once('close', (code, signal) => resolve({ code, signal, error: null, isLate, output }))
    })
  } finally {
    clearTimeout(timer)
    process.off('exit', stop)
  }
}

/**
 * Kills a process that still runs. The compiler may have kept this thread busy, so the end of the process may not be known yet.
 * @returns whether it was running
 */
async function endIfRunning(child: ChildProcess): Promise<boolean> {
  await nextTurn()
  await nextTurn()
  if (child.exitCode !== null || child.signalCode !== null) return false
  return child.kill('SIGKILL')
}

function reasonOf({ code, signal, error, output }: ProcessEnd, megabytes: number): string {
  if (error !== null) return error.message
  if (/heap out of memory|heap limit/i.test(output)) return `it used more than ${megabytes} MB of memory`
  if (signal !== null) return `the signal ${signal}`
  return code === 0 || code === 13
    ? 'it called `process.exit`, or waits for something that never happens'
    : `exit code ${code}`
}

/** Returns the environment variables of the process. @internal Exported for tests. */
export function withoutSecrets(variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !SECRETS.test(name)))
}

function read(folder: string, name: string): string {
  try {
    return readFileSync(join(folder, name), 'utf8')
  } catch {
    // The process ended before it wrote anything.
    return ''
  }
}
