/**
 * Runs the compiler as a child process that watches the site's folder. It writes one line of JSON per build to its standard output.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import * as z from 'zod'

/** `stamp` is part of the URL; null for a removed asset. */
const changedAssets = z.array(z.object({ name: z.string(), stamp: z.string().nullable() }))

/** A fix that pages can apply. */
const fix = z
  .object({
    id: z.string(),
    title: z.string(),
    edits: z.array(
      z.object({
        file: z.string(),
        start: z.number().int().nonnegative(),
        end: z.number().int().nonnegative(),
        text: z.string(),
      }),
    ),
    digests: z.record(z.string(), z.string()),
  })
  .nullable()
  .default(null)

/** An error as an open page shows it. `frame` is the marked line with the lines around it, from the line number `first` on. */
const shownError = z.object({
  file: z.string(),
  line: z.number(),
  column: z.number(),
  code: z.string(),
  message: z.string(),
  hint: z.string().nullable(),
  frame: z.object({ first: z.number(), lines: z.array(z.string()), length: z.number() }).nullable(),
  fix,
})

/** A finding of the check: an error, a warning or a remark. */
const problem = z.object({
  severity: z.enum(['error', 'warning', 'info']),
  code: z.string(),
  file: z.string(),
  line: z.number(),
  column: z.number(),
  message: z.string(),
  hint: z.string().nullable(),
  fix,
})

/** Errors by template path. Pages that fail because of them show them. */
const errors = z.record(z.string(), z.string()).default({})

const shown = z.array(shownError).default([])

const message = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('built'),
    /** URL of the link module. */
    entry: z.string(),
    changed: z.array(z.object({ module: z.string(), url: z.string() })).default([]),
    ms: z.number().default(0),
    errors,
    shown,
    /** What was saved since the last messages; null when that is unknown. */
    saved: z
      .object({
        files: z.array(z.string()),
        assets: changedAssets,
      })
      .nullable()
      .default(null),
  }),
  /** Assets that were saved. They are served already; a build follows. */
  z.object({ type: z.literal('assets'), assets: changedAssets }),
  /** The check of the whole site has finished after a build. */
  z.object({
    type: z.literal('checked'),
    /** Report for the terminal. */
    text: z.string(),
    errors,
    shown,
    problems: z.array(problem).default([]),
    /** Number of all findings; the list may be shorter. */
    total: z.number().default(0),
  }),
  z.object({ type: z.literal('errors'), text: z.string() }),
])

export type CompilerMessage = z.infer<typeof message>

export interface CompilerProcess {
  stop(): void
}

/**
 * Starts the compiler.
 * @param bin path of the `ingot` command
 * @param onMessage called with every message; other lines of its output go to the terminal
 * @param ended called with the exit code when the compiler ends without being stopped
 */
export function startCompiler(
  bin: string,
  dir: string,
  onMessage: (message: CompilerMessage) => void,
  ended: (code: number | null) => void,
): CompilerProcess {
  let stopped = false
  // Its standard input stays open as long as this process lives, so that the compiler ends with it, even after a crash.
  const child: ChildProcess = spawn(process.execPath, [bin, 'watch', dir], { stdio: ['pipe', 'pipe', 'inherit'] })
  if (child.stdout !== null) {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const read = message.safeParse(parseJson(line))
      if (read.success) onMessage(read.data)
      else process.stderr.write(`${line}\n`)
    })
  }
  child.once('close', (code) => {
    if (!stopped) ended(code)
  })
  return {
    stop() {
      stopped = true
      child.stdin?.end()
      child.kill('SIGTERM')
      setTimeout(() => child.kill('SIGKILL'), 2_000).unref()
      // This process does not wait for the compiler to finish.
      child.unref()
    },
  }
}

/** Parses a line; returns null for other output, such as that of a package. */
function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
