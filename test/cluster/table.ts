/** Compares what the visitors found in each event with what is promised. */
import { type Visit, WRITES } from './messages.ts'
import type { ClusterEvent } from './events.ts'
import type { Loss } from './traffic.ts'

export interface Row {
  readonly name: string
  readonly requests: number
  readonly failed: number
  readonly loss: Loss
  /** Seconds from the event until no request fails or is slow any more, and every page shows the expected version. */
  readonly normal: number
  /** The promises that were not kept. */
  readonly misses: readonly string[]
  /** Examples of the failures. */
  readonly examples: readonly string[]
}

/** Milliseconds from which a response counts as slow. */
const SLOW = 1_000
/** Maximum time in milliseconds after which a write is refused. */
const REFUSED_WITHIN = 2_000
/** Maximum fraction of failed requests around the loss of a primary. */
const MOST_FAILED = 0.01

/** @param at the time of the event, in milliseconds since the epoch */
export function rowOf(event: ClusterEvent, visits: readonly Visit[], at: number, loss: Loss): Row {
  const failures = visits.filter(({ problem }) => problem !== null)
  const odd = visits.filter(
    (visit) =>
      visit.at + visit.took >= at &&
      (visit.problem !== null || visit.took > SLOW || (visit.version !== null && visit.version !== event.version)),
  )
  const end = Math.max(at, ...odd.map((visit) => visit.at + visit.took))
  return {
    name: event.name,
    requests: visits.length,
    failed: failures.length,
    loss,
    normal: (end - at) / 1000,
    misses: [...missesOf(event, visits.length, failures), ...lossesOf(loss)],
    examples: examplesOf(failures, at),
  }
}

function missesOf(event: ClusterEvent, requests: number, failures: readonly Visit[]): readonly string[] {
  if (requests === 0) return ['nobody came']
  if (!event.readOnly) return failures.length === 0 ? [] : [`${failures.length} requests failed`]
  const share = failures.length / requests
  const reads = failures.filter(({ kind }) => !WRITES.has(kind))
  const wrong = failures.filter(
    ({ kind, status, took, retryAfter }) =>
      WRITES.has(kind) && (status !== 503 || retryAfter === null || took > REFUSED_WITHIN),
  )
  return [
    ...(share > MOST_FAILED ? [`${(share * 100).toFixed(2)} % of the requests failed`] : []),
    ...(reads.length > 0 ? [`${reads.length} reads failed`] : []),
    ...(wrong.length > 0
      ? [
          `${wrong.length} writes were not refused with Retry-After within two seconds (${wrong[0]?.status} in ${wrong[0]?.took} ms)`,
        ]
      : []),
  ]
}

function lossesOf({ rows, jobs, doubled }: Loss): readonly string[] {
  const said: readonly (readonly [readonly string[], string])[] = [
    [rows, 'rows were lost'],
    [jobs, 'jobs were lost'],
    [doubled, 'jobs ran twice'],
  ]
  return said.flatMap(([keys, what]) => (keys.length === 0 ? [] : [`${keys.length} ${what} (${keys[0]})`]))
}

function examplesOf(failures: readonly Visit[], at: number): readonly string[] {
  const seen = new Map<string, Visit>()
  for (const visit of failures) {
    const name = `${visit.kind} ${visit.status}`
    if (!seen.has(name)) seen.set(name, visit)
  }
  return [...seen.values()].map((visit) => {
    const after = ((visit.at - at) / 1000).toFixed(1)
    return `${visit.kind} after ${after} s, in ${visit.took} ms: ${visit.problem}`
  })
}

const HEADS = ['event', 'requests', 'failed', 'rows lost', 'jobs lost', 'doubled', 'normal after', 'held'] as const

/** Returns the table as text. */
export function tableOf(rows: readonly Row[]): string {
  const lines = rows.map(({ name, requests, failed, loss, normal, misses }) => [
    name,
    String(requests),
    String(failed),
    String(loss.rows.length),
    String(loss.jobs.length),
    String(loss.doubled.length),
    `${normal.toFixed(1)} s`,
    misses.length === 0 ? 'yes' : 'NO',
  ])
  const widths = HEADS.map((head, at) => Math.max(head.length, ...lines.map((line) => (line[at] ?? '').length)))
  const print = (line: readonly string[]): string =>
    line.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  ')
  return [HEADS, ...lines].map((line) => `${print(line)}\n`).join('')
}
