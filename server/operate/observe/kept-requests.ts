/**
 * Keeps the last requests and jobs in development: one line of JSON each, in a file of the data folder. All processes of a server write to
 * the same file. When it is full, it becomes the older of two files.
 */
import { appendFile, mkdir, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { RecordedAnswer, Recording } from '../../core/contracts/recording.ts'
import { type HeldRecording, RequestRecorder } from './recorder.ts'
import type { RecordedRequest, RedirectedRequest } from './recorded-request.ts'
import { storedRecord } from './stored-record.ts'

/** Maximum size in bytes of each of the two files. */
const MAX_FILE_SIZE = 8 * 1024 * 1024
/** Maximum number of characters that wait to be written. Further requests are dropped. */
const MAX_WAITING = 16 * 1024 * 1024
/** Milliseconds after which waiting lines are written. */
const WRITE_DELAY = 60
/** Maximum number of requests that a process or a thread records at once, and per second in the long run. */
const BURST = 40
const PER_SECOND = 10
/** Maximum number of redirects whose next request is awaited, and milliseconds for which one is awaited. */
const MAX_REDIRECTS = 100
const REDIRECT_TIME = 10_000
/** Maximum length of a chain of redirects. */
const MAX_CHAIN = 10

/** Returns the site's constants by name. */
export type ReadConstants = () => Readonly<Record<string, unknown>>

/** Records requests in the process that answers them, and jobs in the thread that runs them. */
export class RequestRecords {
  readonly #keep: (record: RecordedRequest) => void
  readonly #redirects = new Redirects()
  #constants: ReadConstants = () => ({})
  #remaining = BURST
  #refilledAt = performance.now()

  /** @param keep receives each record, which contains no secrets */
  constructor(keep: (record: RecordedRequest) => void) {
    this.#keep = keep
  }

  /** Sets the constants, whose values are masked. */
  maskConstants(constants: ReadConstants): void {
    this.#constants = constants
  }

  /** Starts a recording. Under load, most requests are not recorded, so that recording does not slow them down. */
  readonly record = (): Recording | null => {
    const now = performance.now()
    this.#remaining = Math.min(BURST, this.#remaining + ((now - this.#refilledAt) / 1000) * PER_SECOND)
    this.#refilledAt = now
    if (this.#remaining < 1) return null
    this.#remaining--
    return new RequestRecorder(this.#ended)
  }

  readonly #ended = (held: HeldRecording): void => {
    // After the answer was sent, and before the next request.
    setImmediate(() => {
      try {
        const redirects = this.#redirects.follow(held.answer)
        this.#keep(storedRecord(held, { constants: this.#constants(), redirects }))
      } catch {
        // Recordings are only a help for developers, so an error must not end the process.
      }
    })
  }
}

interface Awaited {
  readonly url: string
  readonly at: number
  readonly chain: readonly RedirectedRequest[]
}

/** Connects redirects with the requests that follow them, by the client's address and the target. */
class Redirects {
  readonly #awaited = new Map<string, Awaited>()

  /** Returns the requests that led to this one, and remembers its own redirect. */
  follow({ id, method, url, host, address, status, redirectTo }: RecordedAnswer): readonly RedirectedRequest[] {
    const key = `${address} ${pathOf(url)}`
    const awaited = this.#awaited.get(key)
    this.#awaited.delete(key)
    const chain = awaited !== undefined && performance.now() - awaited.at < REDIRECT_TIME ? awaited.chain : []
    const target = redirectTo === null || status === null ? null : targetOf(redirectTo, url, host)
    if (target !== null && status !== null) {
      const next = [...chain, { id, method, path: url, status }].slice(-MAX_CHAIN)
      this.#awaited.set(`${address} ${target}`, { url, at: performance.now(), chain: next })
      if (this.#awaited.size > MAX_REDIRECTS) {
        const [oldest] = this.#awaited.keys()
        if (oldest !== undefined) this.#awaited.delete(oldest)
      }
    }
    return chain
  }
}

/** Returns the path of a redirect's target on the same host; null for another one. */
function targetOf(target: string, url: string, host: string): string | null {
  const base = `http://${host}`
  if (!URL.canParse(target, `${base}${url}`)) return null
  const parsed = new URL(target, `${base}${url}`)
  return parsed.host === host ? parsed.pathname : null
}

function pathOf(url: string): string {
  return url.split(/[?#]/, 1)[0] ?? ''
}

/** Writes records to the file. */
export class RecordFile {
  readonly #folder: string
  #waiting: string[] = []
  #waitingLength = 0
  #timer: NodeJS.Timeout | null = null
  #writing: Promise<void> = Promise.resolve()

  constructor(dataFolder: string) {
    this.#folder = dataFolder
  }

  /** Adds a record. Never waits and never throws. */
  readonly add = (record: RecordedRequest): void => {
    const line = `${JSON.stringify(record)}\n`
    if (this.#waitingLength + line.length > MAX_WAITING) return
    this.#waiting.push(line)
    this.#waitingLength += line.length
    this.#timer ??= setTimeout(() => void this.#write(), WRITE_DELAY).unref()
  }

  /** Writes what waits. */
  async close(): Promise<void> {
    await this.#write()
  }

  #write(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    const lines = this.#waiting
    this.#waiting = []
    // Errors are ignored: recordings are only a help for developers.
    if (lines.length > 0) this.#writing = this.#writing.then(() => this.#append(lines)).catch(() => undefined)
    return this.#writing
  }

  async #append(lines: readonly string[]): Promise<void> {
    const text = lines.join('')
    try {
      const file = currentFile(this.#folder)
      const size = await stat(file).then(
        (found) => found.size,
        () => null,
      )
      if (size === null) await mkdir(this.#folder, { recursive: true })
      else if (size > MAX_FILE_SIZE) await rename(file, olderFile(this.#folder))
      await appendFile(file, text, { mode: 0o600 })
    } finally {
      this.#waitingLength -= text.length
    }
  }
}

export function currentFile(folder: string): string {
  return join(folder, 'requests.jsonl')
}

export function olderFile(folder: string): string {
  return join(folder, 'requests-before.jsonl')
}
