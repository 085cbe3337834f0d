/**
 * Keeps traces of the last requests in development: one line of JSON each, in a file of the data folder. All processes of a server write to
 * the same file. When it is full, it becomes the older of two files.
 */
import { appendFile, mkdir, readFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import type { EndedSpan } from '../../core/contracts/tracer.ts'

/** Maximum size in bytes of each of the two files. */
const MAX_FILE_SIZE = 2 * 1024 * 1024
/** Maximum number of spans in a trace. */
const MAX_SPANS = 500
/** Maximum number of unfinished traces, because some may never finish. */
const MAX_UNFINISHED = 200

const span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentId: z.string().nullable(),
  state: z.string().nullable(),
  link: z.object({ traceId: z.string(), spanId: z.string() }).nullable(),
  name: z.string(),
  kind: z.enum(['server', 'client', 'job', 'internal']),
  values: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  started: z.number(),
  ended: z.number(),
  error: z.object({ type: z.string(), message: z.string() }).nullable(),
}) satisfies z.ZodType<EndedSpan>
const kept = z.object({ at: z.string(), spans: z.array(span) })
export type KeptTrace = z.infer<typeof kept>

export class KeptTraces {
  readonly #folder: string
  readonly #open = new Map<string, EndedSpan[]>()
  #writing: Promise<void> = Promise.resolve()

  constructor(dataFolder: string) {
    this.#folder = dataFolder
  }

  /** Adds an ended span. Never waits and never throws. A trace is complete with its request or job. */
  readonly add = (ended: EndedSpan): void => {
    const spans = this.#open.get(ended.traceId) ?? []
    if (spans.length < MAX_SPANS) spans.push(ended)
    this.#open.set(ended.traceId, spans)
    if (ended.kind === 'server' || ended.kind === 'job') {
      this.#open.delete(ended.traceId)
      const line = `${JSON.stringify({ at: new Date(ended.started).toISOString(), spans })}\n`
      // Errors are ignored: traces are only a help for developers.
      this.#writing = this.#writing.then(() => this.#write(line)).catch(() => undefined)
    } else if (this.#open.size > MAX_UNFINISHED) {
      const [oldest] = this.#open.keys()
      if (oldest !== undefined) this.#open.delete(oldest)
    }
  }

  /** Waits until everything is written. */
  async close(): Promise<void> {
    await this.#writing
  }

  async #write(line: string): Promise<void> {
    await mkdir(this.#folder, { recursive: true })
    const { size } = await stat(currentFile(this.#folder)).catch(() => ({ size: 0 }))
    if (size > MAX_FILE_SIZE) await rename(currentFile(this.#folder), olderFile(this.#folder))
    await appendFile(currentFile(this.#folder), line)
  }
}

/** Reads the kept traces, the oldest first. */
export async function readTraces(dataFolder: string): Promise<readonly KeptTrace[]> {
  const texts = await Promise.all(
    [olderFile(dataFolder), currentFile(dataFolder)].map((file) => readFile(file, 'utf8').catch(() => '')),
  )
  // A killed process may have written only half of its last line.
  return texts.flatMap((text) => text.split('\n')).flatMap((text) => parseTrace(text) ?? [])
}

function parseTrace(line: string): KeptTrace | null {
  try {
    return kept.parse(JSON.parse(line))
  } catch {
    return null
  }
}

function currentFile(folder: string): string {
  return join(folder, 'requests.jsonl')
}

function olderFile(folder: string): string {
  return join(folder, 'requests-before.jsonl')
}
