/**
 * Traces that a server in development keeps for those who look at its last requests: a line of JSON each, in a file of the data folder. The
 * processes of a server write into the same one; when it is full the one before it goes.
 */
import { appendFile, mkdir, readFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import type { EndedSpan } from '../../core/contracts/tracer.ts'

/** Bytes of a file, of which there are two. */
const LARGEST = 2 * 1024 * 1024
/** Spans of one trace. */
const MOST_SPANS = 500
/** Traces that have not ended: what never ends does not stay. */
const MOST_OPEN = 200

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

  /** Takes a span that has ended; never waits, never throws. With the first one of its work a trace is whole. */
  readonly add = (ended: EndedSpan): void => {
    const spans = this.#open.get(ended.traceId) ?? []
    if (spans.length < MOST_SPANS) spans.push(ended)
    this.#open.set(ended.traceId, spans)
    if (ended.kind === 'server' || ended.kind === 'job') {
      this.#open.delete(ended.traceId)
      const line = `${JSON.stringify({ at: new Date(ended.started).toISOString(), spans })}\n`
      // A record for a reader: where it cannot be written, nobody reads it either.
      this.#writing = this.#writing.then(() => this.#write(line)).catch(() => undefined)
    } else if (this.#open.size > MOST_OPEN) {
      const [oldest] = this.#open.keys()
      if (oldest !== undefined) this.#open.delete(oldest)
    }
  }

  /** Until all is written. */
  async close(): Promise<void> {
    await this.#writing
  }

  async #write(line: string): Promise<void> {
    await mkdir(this.#folder, { recursive: true })
    const { size } = await stat(fileIn(this.#folder)).catch(() => ({ size: 0 }))
    if (size > LARGEST) await rename(fileIn(this.#folder), olderIn(this.#folder))
    await appendFile(fileIn(this.#folder), line)
  }
}

/** The traces that are kept, the oldest first. */
export async function readTraces(dataFolder: string): Promise<readonly KeptTrace[]> {
  const texts = await Promise.all(
    [olderIn(dataFolder), fileIn(dataFolder)].map((file) => readFile(file, 'utf8').catch(() => '')),
  )
  // The last line of a process that was killed may be half of one.
  return texts.flatMap((text) => text.split('\n')).flatMap((text) => traceIn(text) ?? [])
}

function traceIn(line: string): KeptTrace | null {
  try {
    return kept.parse(JSON.parse(line))
  } catch {
    return null
  }
}

function fileIn(folder: string): string {
  return join(folder, 'requests.jsonl')
}

function olderIn(folder: string): string {
  return join(folder, 'requests-before.jsonl')
}
