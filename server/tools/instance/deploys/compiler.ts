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
  /** Whether warnings are told when they are asked for. */
  hasMore: z.boolean().default(false),
  /** Whether there is a build; absent where something else went wrong. */
  built: z.boolean().default(false),
  errors: z.array(told).default([]),
  warnings: z.array(told).default([]),
  /** Why nothing could be compiled, which says nothing of the site. */
  failure: z.string().nullable().default(null),
  /** File of the text that was compiled beside a site. */
  sent: z.string().nullable().default(null),
  /** What could be written at a place, and how many signs before it that would replace. */
  labels: z.array(z.string()).default([]),
  length: z.number().default(0),
  /** What an edit has made of modules, and those that it has removed. */
  changed: z.array(changedModule).default([]),
  removed: z.array(z.string()).default([]),
})
export type Compiled = Omit<z.infer<typeof answer>, 'id'>

interface Waiting {
  done(compiled: Compiled): void
  fail(error: Error): void
}

interface Running {
  readonly child: ChildProcess
  readonly waiting: Map<number, Waiting>
}

/** Why a text could not be compiled: a sentence for each error, with its line. */
export function sentencesOf({ errors, failure }: Compiled): readonly string[] {
  if (errors.length === 0) return [failure ?? 'It could not be compiled']
  return errors.map(({ line, message, hint }) => `Line ${line}: ${message}${hint === null ? '' : ` ${hint}`}`)
}

export class SiteCompiler {
  readonly #bin: string
  readonly #takesErrors: boolean
  #running: Running | null = null
  #asked = 0

  /**
   * @param bin path of the `ingot` command
   * @param takesErrors builds sites that have errors, and reports these beside the build
   */
  constructor(bin: string, takesErrors = false) {
    this.#bin = bin
    this.#takesErrors = takesErrors
  }

  /**
   * Compiles the site in a folder, and unless its errors refuse it, writes its build to another one, which is not there yet. Edits then go on
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
  ): Promise<Compiled> {
    return this.#ask({ do: 'build', root, out, sent, paths, takesErrors: this.#takesErrors })
  }

  /** Has files of a site read that is about to be built: it is compiled the sooner. `place`: path of a file that holds one's bytes. */
  readAhead(files: readonly { readonly path: string; readonly place: string }[]): void {
    // A compiler that has ended reads them when it is asked for the build.
    this.#ask({ do: 'ahead', files }).catch(() => undefined)
  }

  /** The errors and warnings of a site that was built; none where the compiler has ended since. */
  async findingsOf(compiled: Compiled): Promise<Pick<Compiled, 'errors' | 'warnings'>> {
    if (!compiled.hasMore) return compiled
    return this.#ask({ do: 'warnings' }).catch(() => ({ errors: [], warnings: [] }))
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
    return this.#ask({ do: 'edit', paths, back, takesErrors: this.#takesErrors })
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

  #ask(question: object): Promise<Compiled> {
    const running = (this.#running ??= this.#start())
    const id = ++this.#asked
    return new Promise((done, fail) => {
      running.waiting.set(id, { done, fail })
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
      for (const { fail } of running.waiting.values()) fail(new Error(`the compiler ended (${why})`))
      running.waiting.clear()
    }
    createInterface({ input: child.stdout }).on('line', (line) => {
      const { id, ...compiled } = answer.parse(JSON.parse(line))
      running.waiting.get(id)?.done(compiled)
      running.waiting.delete(id)
    })
    child.stdin.on('error', () => undefined)
    child.once('error', (error) => ended(error.message))
    child.once('close', (code, signal) => ended(signal ?? `code ${code}`))
    return running
  }
}
