/** Hands the spans of a process to the one that supervises: a few times a second, in batches, and no more than that one takes. */
import type { SpanBatch } from '../cluster/messages.ts'
import type { EndedSpan } from '../../core/contracts/tracer.ts'

export interface SpanBatches {
  add(span: EndedSpan): void
  /** Hands over what is left. */
  close(): Promise<void>
}

export interface SpanBatchOptions {
  /** Calls `taken` when the batch is out of this process: the next one waits for it. */
  readonly send: (batch: SpanBatch, taken: () => void) => void
  /** See `SpanBatch`. */
  readonly release: string | null
  /** Milliseconds for which spans are gathered; 250 by default. */
  readonly gather?: number
}

const GATHER = 250
/** Spans in a batch. */
export const BATCH = 256
/** Most spans that wait. What comes then is dropped, and counted. */
export const MOST_WAITING = 4_096

export function createSpanBatches({ send, release, gather = GATHER }: SpanBatchOptions): SpanBatches {
  let waiting: EndedSpan[] = []
  let dropped = 0
  let isOut = false
  let timer: NodeJS.Timeout | null = null
  let closed: (() => void) | null = null

  function next(): void {
    if (isOut) return
    if (waiting.length === 0 && dropped === 0) {
      closed?.()
      return
    }
    if (timer !== null) clearTimeout(timer)
    timer = null
    const spans = waiting.length <= BATCH ? waiting : waiting.slice(0, BATCH)
    waiting = waiting.length <= BATCH ? [] : waiting.slice(BATCH)
    const batch = { spans, release, dropped }
    dropped = 0
    isOut = true
    send(batch, () => {
      isOut = false
      if (waiting.length >= BATCH || closed !== null) next()
      else if (waiting.length > 0) later()
    })
  }

  function later(): void {
    timer ??= setTimeout(next, gather)
  }

  return {
    add(span) {
      if (waiting.length === MOST_WAITING) {
        dropped++
        return
      }
      waiting.push(span)
      if (waiting.length >= BATCH) next()
      else later()
    },
    close() {
      return new Promise((done) => {
        closed = done
        next()
      })
    },
  }
}
