/** The compiler as a child process: it watches the site's folder and tells on its standard output, a line of JSON a build. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import * as z from 'zod'

const message = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('built'),
    /** URL of the link module. */
    entry: z.string(),
    changed: z.array(z.object({ module: z.string(), url: z.string() })).default([]),
    ms: z.number().default(0),
    /** What the build has to say, for the terminal. */
    text: z.string().default(''),
    /** Its errors by the template's path, for the pages that fail by them. */
    errors: z.record(z.string(), z.string()).default({}),
  }),
  z.object({ type: z.literal('errors'), text: z.string() }),
])

export type CompilerMessage = z.infer<typeof message>

export interface CompilerProcess {
  stop(): void
}

/**
 * Starts the compiler.
 * @param bin the `ingot` command
 * @param hear called for every message; other lines of its output go to the terminal
 * @param ended called when it ends without having been stopped, with its exit code
 */
export function startCompiler(
  bin: string,
  dir: string,
  hear: (message: CompilerMessage) => void,
  ended: (code: number | null) => void,
): CompilerProcess {
  let stopped = false
  // Its standard input stays open as long as we live: the compiler ends with us, however we end.
  const child: ChildProcess = spawn(process.execPath, [bin, 'watch', dir], { stdio: ['pipe', 'pipe', 'inherit'] })
  if (child.stdout !== null) {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const read = message.safeParse(parsed(line))
      if (read.success) hear(read.data)
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
      // Whatever it still has to finish is no reason for us to stay.
      child.unref()
    },
  }
}

/** The message of a line; null for one that is none, as what a package prints. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
