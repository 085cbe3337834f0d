/**
 * Watches the memory of a job while its templates run. V8 ends a thread whose heap grows slowly. But one large allocation, as when a big
 * hash doubles, would end the whole process with all its jobs.
 */
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { LimitFault } from '../../../../runtime/page/fault.ts'

const MB = 1024 * 1024

/**
 * Returns V8's heap limit of a thread in megabytes, with room for allocations between two checks.
 * @param memory see `memoryWatch`
 */
export function heapLimit(memory: number): number {
  return 3 * memory + 256
}

/**
 * Creates the check of this thread's memory, which usually takes a few microseconds.
 * @param memory megabytes that a job may use
 */
export function memoryWatch(memory: number): () => void {
  const maxBytes = memory * MB
  /** Heap size in bytes, including garbage, above which a garbage collection is worth its cost. */
  let collectAbove = maxBytes
  let collect: (() => void) | null = null

  return () => {
    if (usedHeapBytes() <= collectAbove) return
    collect ??= garbageCollector()
    collect()
    const usedAfterLastCollection = usedHeapBytes()
    if (usedAfterLastCollection > maxBytes) throw new LimitFault(`it needed more than ${memory} MB of memory`, 'memory')
    // The next check comes only after considerable growth, because collecting all the time would use up the job's time.
    collectAbove = Math.max(maxBytes, usedAfterLastCollection + maxBytes / 4)
  }
}

function usedHeapBytes(): number {
  return getHeapStatistics().used_heap_size
}

/** Returns V8's garbage collector. It is only exposed to new contexts, after the flag is set. */
function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc')
  try {
    const gc: unknown = runInNewContext('gc')
    if (typeof gc === 'function') return () => void gc()
  } finally {
    setFlagsFromString('--no-expose-gc')
  }
  throw new Error('this V8 does not expose its garbage collector')
}
