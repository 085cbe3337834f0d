/** The compiler for deploys: a child process that stays warm, handles one request after the other, and is restarted when it ends. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import * as z from 'zod'

const findingSchema = z.object({
  file: z.string(),
  line: z.number(),
  code: z.string(),
  message: z.string(),
  hint: z.string().nullable(),
  /** The platform's message for this finding, when it is known. */
  platform: z.string().nullable().default(null),
})
/** An error or a warning of a site. */
export type SiteFinding = z.infer<typeof findingSchema>

const changedModule = z.object({
  path: z.string(),
  digest: z.string(),
  script: z.string(),
  file: z.string().nullable(),
  source: z.string().nullable(),
})

const answer = z.object({
  id: z.number(),
  /** Whether warnings can be requested. */
  hasMore: z.boolean().default(false),
  /** Whether there is a build; absent when something else went wrong. */
  built: z.boolean().default(false),
  errors: z.array(findingSchema).default([]),
  warnings: z.array(findingSchema).default([]),
  /** Why nothing could be compiled, for reasons other than the site. */
  failure: z.string().nullable().default(null),
  /** Path of a text that was compiled with a site. */
  sent: z.string().nullable().default(null),
  /** Completions, and the number of characters before the cursor that they replace. */
  labels: z.array(z.string()).default([]),
  length: z.number().default(0),
  /** Modules that an edit has changed, and modules that it has removed. */
  changed: z.array(changedModule).default([]),
  removed: z.array(z.string()).default([]),
})
export type Compiled = Omit<z.infer<typeof answer>, 'id'>

interface Waiting {
  done(compiledSite: Compiled): void
  fail(error: Error): void
}

interface Running {
  readonly child: ChildProcess
  readonly waiting: Map<number, Waiting>
}

/** Returns why a text could not be compiled: a sentence with its line for each error. */
export function formatErrors({ errors, failure }: Compiled): readonly string[] {
  if (errors.length === 0) return [failure ?? 'It could not be compiled']
  return errors.map(({ line, message, hint }) => `Line ${line}: ${message}${hint === null ? '' : ` ${hint}`}`)
}

export class SiteCompiler {
  readonly #bin: string
  readonly #takesErrors: boolean
  #running: Running | null = null
  #requests = 0

  /**
   * @param bin path of the `ingot` command
   * @param takesErrors whether to build sites despite their errors, and report these with the build
   */
  constructor(bin: string, takesErrors = false) {
    this.#bin = bin
    this.#takesErrors = takesErrors
  }

  /**
   * Compiles the site in a folder. Unless it is refused for its errors, writes its build to a new folder. Later edits continue from it.
   * @param out folder for the build; null to only check the site
   * @param sent files that were sent one by one: only their errors are reported; null for a whole site
   * @param paths files that have changed in the folder since the last request; null when it is another folder
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

  /** Makes the compiler read files of a site early, which makes the next build faster. `place`: path of the file with the contents. */
  readAhead(files: readonly { readonly path: string; readonly place: string }[]): void {
    // If the compiler has ended, the next one reads the files for the build.
    this.#ask({ do: 'ahead', files }).catch(() => undefined)
  }

  /** Returns the errors and warnings of a built site; none when the compiler has ended meanwhile. */
  async findingsOf(compiledSite: Compiled): Promise<Pick<Compiled, 'errors' | 'warnings'>> {
    if (!compiledSite.hasMore) return compiledSite
    return this.#ask({ do: 'warnings' }).catch(() => ({ errors: [], warnings: [] }))
  }

  /**
   * Compiles the site in a folder, as the base of edits.
   * @throws Error when the compiler ends
   */
  open(root: string): Promise<Compiled> {
    return this.#ask({ do: 'open', root })
  }

  /**
   * Compiles what has changed in the folder of the open site, and returns the changed modules.
   * @param back files that were restored after a refused edit
   * @throws Error when the compiler ends
   */
  edit(paths: readonly string[], back: readonly string[]): Promise<Compiled> {
    return this.#ask({ do: 'edit', paths, back, takesErrors: this.#takesErrors })
  }

  /**
   * Compiles a template together with the site in a folder, and writes code that renders it to a new folder.
   * @param fresh whether files of the folder may have changed since the last request
   * @param format output format of the template
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
   * Returns completions at an offset of a template that uses the site in a folder.
   * @throws Error when the compiler ends
   */
  complete(root: string, content: string, offset: number): Promise<Pick<Compiled, 'labels' | 'length'>> {
    return this.#ask({ do: 'complete', root, content, offset })
  }

  #ask(request: object): Promise<Compiled> {
    const running = (this.#running ??= this.#start())
    const id = ++this.#requests
    return new Promise((resolve, reject) => {
      running.waiting.set(id, { done: resolve, fail: reject })
      running.child.stdin?.write(`${JSON.stringify({ id, ...request })}\n`)
    })
  }

  /** Starts the process before the first request. */
  start(): void {
    this.#running ??= this.#start()
  }

  close(): void {
    this.#running?.child.kill('SIGKILL')
    this.#running = null
  }

  #start(): Running {
    // The compiler's standard input stays open as long as this process lives, so the compiler ends with it, even after a crash.
    const child = spawn(process.execPath, [this.#bin, 'service'], { stdio: ['pipe', 'pipe', 'inherit'] })
    const running: Running = { child, waiting: new Map() }
    const ended = (reason: string): void => {
      if (this.#running === running) this.#running = null
      for (const { fail } of running.waiting.values()) fail(new Error(`the compiler ended (${reason})`))
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
