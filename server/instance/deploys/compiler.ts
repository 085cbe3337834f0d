/** The compiler of what is deployed: a process of its own, which stays warm, is asked one thing after the other, and is started anew when it ends. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import * as z from 'zod'

const told = z.object({
  file: z.string(),
  line: z.number(),
  code: z.string(),
  message: z.string(),
  hint: z.string().nullable(),
  /** What the platform says of it, where that is known. */
  platform: z.string().nullable().default(null),
})
/** An error or a warning of a site. */
export type Told = z.infer<typeof told>

const changedModule = z.object({
  path: z.string(),
  digest: z.string(),
  script: z.string(),
  file: z.string().nullable(),
  source: z.string().nullable(),
})

const answer = z.object({
  id: z.number(),
  /** Whether nothing more is told: behind the answer to a build come its warnings. */
  isLast: z.boolean().default(true),
  /** Whether there is a build; absent where something else went wrong. */
  built: z.boolean().default(false),
  errors: z.array(told).default([]),
  warnings: z.array(told).default([]),
  /** Why nothing could be compiled, which says nothing of the site. */
  failure: z.string().nullable().default(null),
  /** What was compiled beside a site: its file, and the lines that this has before the text that was sent. */
  sent: z.object({ unit: z.string(), linesBefore: z.number() }).nullable().default(null),
  /** What could be written at a place, and how many signs before it that would replace. */
  labels: z.array(z.string()).default([]),
  length: z.number().default(0),
  /** What an edit has made of modules, and those that it has removed. */
  changed: z.array(changedModule).default([]),
  removed: z.array(z.string()).default([]),
})
export type Compiled = Omit<z.infer<typeof answer>, 'id' | 'isLast'>

/** What came of a site as a whole. */
export interface Built extends Compiled {
  /** Its warnings, which a site can be served without: none where the compiler has ended before it told them. */
  readonly warned: Promise<readonly Told[]>
}

interface Waiting {
  done(built: Built): void
  fail(error: Error): void
  /** Takes the warnings; null before there is an answer. */
  warn: ((warnings: readonly Told[]) => void) | null
}

interface Running {
  readonly child: ChildProcess
  readonly waiting: Map<number, Waiting>
}

export class SiteCompiler {
  readonly #bin: string
  #running: Running | null = null
  #asked = 0

  /** @param bin path of the `ingot` command */
  constructor(bin: string) {
    this.#bin = bin
  }

  /**
   * Compiles the site in a folder, and where it has no errors, writes its build to another one, which is not there yet. Edits then go on
   * from it.
   * @param out null where it is only to be looked at
   * @param sent the files that were sent one by one, of which alone errors are told; null for a site as a whole
   * @param paths the files that have changed in the folder since it was asked for last; null where it is another folder
   * @throws Error when the compiler ends
   */
  build(
    root: string,
    out: string | null,
    sent: readonly string[] | null = null,
    paths: readonly string[] | null = null,
  ): Promise<Built> {
    return this.#ask({ do: 'build', root, out, sent, paths })
  }

  /**
   * Compiles the site in a folder, for edits to go on from.
   * @throws Error when the compiler ends
   */
  open(root: string): Promise<Compiled> {
    return this.#ask({ do: 'open', root })
  }

  /**
   * Compiles what has changed in the folder of the site that is open, and gives the modules that are others.
   * @param back files that are again what they were before an edit that was refused
   * @throws Error when the compiler ends
   */
  edit(paths: readonly string[], back: readonly string[]): Promise<Compiled> {
    return this.#ask({ do: 'edit', paths, back })
  }

  /**
   * Compiles a template together with the site in a folder, and writes code that renders it to another one, which is not there yet.
   * @param fresh whether files of the folder may have changed since the last question
   * @param format what the template prints
   * @throws Error when the compiler ends
   */
  compileSent(
    root: string,
    content: string,
    out: string,
    fresh = false,
    format: 'txt' | 'html' = 'txt',
  ): Promise<Compiled> {
    return this.#ask({ do: 'exec', root, content, out, fresh, format })
  }

  /**
   * What could be written at a place of a template that stands beside the site in a folder.
   * @throws Error when the compiler ends
   */
  complete(root: string, content: string, offset: number): Promise<Pick<Compiled, 'labels' | 'length'>> {
    return this.#ask({ do: 'complete', root, content, offset })
  }

  #ask(question: object): Promise<Built> {
    const running = (this.#running ??= this.#start())
    const id = ++this.#asked
    return new Promise((done, fail) => {
      running.waiting.set(id, { done, fail, warn: null })
      running.child.stdin?.write(`${JSON.stringify({ id, ...question })}\n`)
    })
  }

  /** Starts it before it is asked for anything. */
  start(): void {
    this.#running ??= this.#start()
  }

  close(): void {
    this.#running?.child.kill('SIGKILL')
    this.#running = null
  }

  #start(): Running {
    // Its standard input stays open as long as this process lives, so that the compiler ends with it, even after a crash.
    const child = spawn(process.execPath, [this.#bin, 'service'], { stdio: ['pipe', 'pipe', 'inherit'] })
    const running: Running = { child, waiting: new Map() }
    const ended = (why: string): void => {
      if (this.#running === running) this.#running = null
      for (const { fail, warn } of running.waiting.values())
        if (warn === null) fail(new Error(`the compiler ended (${why})`))
        else warn([])
      running.waiting.clear()
    }
    createInterface({ input: child.stdout }).on('line', (line) => {
      hear(running.waiting, answer.parse(JSON.parse(line)))
    })
    child.stdin.on('error', () => undefined)
    child.once('error', (error) => ended(error.message))
    child.once('close', (code, signal) => ended(signal ?? `code ${code}`))
    return running
  }
}

/** Hands an answer, or the warnings behind it, to whoever waits for it. */
function hear(waiting: Map<number, Waiting>, { id, isLast, ...compiled }: z.infer<typeof answer>): void {
  const asker = waiting.get(id)
  if (isLast) waiting.delete(id)
  if (asker === undefined) return
  if (asker.warn !== null) asker.warn(compiled.warnings)
  else if (isLast) asker.done({ ...compiled, warned: Promise.resolve(compiled.warnings) })
  else asker.done({ ...compiled, warned: new Promise((warn) => (asker.warn = warn)) })
}
