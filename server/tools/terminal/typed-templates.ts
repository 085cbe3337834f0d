/**
 * Runs templates that a developer types into the studio, one after another, with the code of `liquid_exec`: a compiler in a child process, and a
 * thread that is ended when a template takes too long.
 */
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { removeLeftovers } from '../../core/leftovers.ts'
import type { ThreadStart } from '../../operate/jobs/threads/calls.ts'
import type { LogRow } from '../../web/logs/model.ts'
import { type Executed, SentTemplates } from '../instance/exec/exec.ts'
import { Turns } from '../../core/turns.ts'

interface TypedOptions {
  /** Folder of the site. */
  readonly root: string
  readonly dataFolder: string
  /** Paths of the `ingot` command, and of the job thread's program. */
  readonly bin: string
  readonly thread: string
  /** Stores log entries. */
  readonly keep: (row: LogRow) => void
}

/** What a template printed, or why it did not, and what it logged. */
export interface TypedResult extends Executed {
  readonly log: readonly { readonly type: string; readonly message: string }[]
}

const MAX_LENGTH = 1_000_000
/** Maximum number of log entries in a result. All of them are in the log. */
const MAX_LOGGED = 200
/** Milliseconds in which the last log entries of a thread arrive. They are sent before its result, over another channel. */
const LOG_DELAY = 20

export class TypedTemplates {
  readonly #options: TypedOptions
  readonly #folder: string
  #templates: SentTemplates | null = null
  #start: ThreadStart | null = null
  #log: LogRow[] = []
  readonly #turns = new Turns()

  constructor(options: TypedOptions) {
    this.#options = options
    this.#folder = resolve(options.dataFolder, 'exec')
  }

  /** Runs further templates with another build. */
  renew(start: ThreadStart): void {
    this.#start = start
    this.#templates?.renew(start)
  }

  /** Runs a template. @param host host name of the request @throws Error when the compiler ends, and database errors */
  run(content: string, host: string): Promise<TypedResult> {
    return this.#turns.run(() => this.#run(content, host))
  }

  async close(): Promise<void> {
    await this.#templates?.close()
  }

  async #run(content: string, host: string): Promise<TypedResult> {
    if (content.length > MAX_LENGTH) return failed(`The template has more than ${MAX_LENGTH} characters.`)
    if (this.#start === null) return failed('The site has no build yet.')
    if (this.#templates === null) {
      // A killed process leaves its folder.
      await removeLeftovers(this.#folder)
      this.#templates = this.#open(this.#start)
    }
    this.#log = []
    const executed = await this.#templates.render(content, host)
    await sleep(LOG_DELAY)
    return { ...executed, log: this.#log.slice(0, MAX_LOGGED).map(({ type, message }) => ({ type, message })) }
  }

  #open(start: ThreadStart): SentTemplates {
    const { root, bin, thread, keep } = this.#options
    return new SentTemplates({
      source: async () => root,
      fresh: true,
      folder: this.#folder,
      bin,
      thread,
      start,
      keep: (row) => {
        this.#log.push(row)
        keep(row)
      },
    })
  }
}

function failed(error: string): TypedResult {
  return { result: null, error, log: [] }
}
