/** Sends the spans of a process to the supervising process: in batches, a few times a second, and not faster than it receives them. */
import type { SpanBatch } from '../cluster/messages.ts'
import type { EndedSpan } from '../../core/contracts/tracer.ts'

export interface SpanBatches {
  add(span: EndedSpan): void
  /** Sends the remaining spans. */
  close(): Promise<void>
}

export interface SpanBatchOptions {
  /** Calls `onSent` when the batch has left this process. The next batch waits for it. */
  readonly send: (batch: SpanBatch, onSent: () => void) => void
  /** Identifies the build of the spans; null when it changes, as in development. */
  readonly release: string | null
  /** Milliseconds between two batches; 250 by default. */
  readonly interval?: number
}

const BATCH_INTERVAL = 250
/** Number of spans in a full batch. @internal Exported for tests. */
export const BATCH_SIZE = 256
/** Maximum number of waiting spans. Further ones are dropped and counted. @internal Exported for tests. */
export const MAX_WAITING = 4_096

export function createSpanBatches({ send, release, interval: gather = BATCH_INTERVAL }: SpanBatchOptions): SpanBatches {
  let waiting: EndedSpan[] = []
  let dropped = 0
  let isSending = false
  let timer: NodeJS.Timeout | null = null
  let closed: (() => void) | null = null

  function sendNext(): void {
    if (isSending) return
    if (waiting.length === 0 && dropped === 0) {
      closed?.()
      return
    }
    if (timer !== null) clearTimeout(timer)
    timer = null
    const spans = waiting.length <= BATCH_SIZE ? waiting : waiting.slice(0, BATCH_SIZE)
    waiting = waiting.length <= BATCH_SIZE ? [] : waiting.slice(BATCH_SIZE)
    const batch = { spans, release, dropped }
    dropped = 0
    isSending = true
    send(batch, () => {
      isSending = false
      if (waiting.length >= BATCH_SIZE || closed !== null) sendNext()
      else if (waiting.length > 0) sendLater()
    })
  }

  function sendLater(): void {
    timer ??= setTimeout(sendNext, gather)
  }

  return {
    add(span) {
      if (waiting.length === MAX_WAITING) {
        dropped++
        return
      }
      waiting.push(span)
      if (waiting.length >= BATCH_SIZE) sendNext()
      else sendLater()
    },
    close() {
      return new Promise((resolve) => {
        closed = resolve
        sendNext()
      })
    },
  }
}
