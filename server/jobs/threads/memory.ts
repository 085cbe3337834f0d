/**
 * What a job keeps in memory, looked at while its templates run. V8 itself ends a thread that grows slowly; one that asks for a lot
 * at once, as a large hash does whenever it doubles, would take the process and all other jobs with it.
 */
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { LimitFault } from '../../../runtime/page/fault.ts'

const MB = 1024 * 1024

/** Megabytes that V8 lets a thread have: what stands between two looks must fit in. @param memory see `memoryWatch` */
export function heapOf(memory: number): number {
  return 3 * memory + 256
}

/**
 * Gives the look at this thread's memory; a few microseconds as a rule.
 * @param memory megabytes that a job may keep
 */
export function memoryWatch(memory: number): () => void {
  const most = memory * MB
  /** Bytes, garbage among them, from which on it is worth while to find out what is kept. */
  let suspicious = most
  let collect: (() => void) | null = null

  return () => {
    if (used() <= suspicious) return
    collect ??= collector()
    collect()
    const kept = used()
    if (kept > most) throw new LimitFault(`it needed more than ${memory} MB of memory`, 'memory')
    // Not before a good part of it is new: to collect again and again would take all of the job's time.
    suspicious = Math.max(most, kept + most / 4)
  }
}

function used(): number {
  return getHeapStatistics().used_heap_size
}

/** V8 shows its collector to new contexts only, and only where it was told to. */
function collector(): () => void {
  setFlagsFromString('--expose-gc')
  try {
    const gc: unknown = runInNewContext('gc')
    if (typeof gc === 'function') return () => void gc()
  } finally {
    setFlagsFromString('--no-expose-gc')
  }
  throw new Error('this V8 does not show its collector')
}
