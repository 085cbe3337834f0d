/** Collects the measurements of a worker process, and reports them to the supervising process. */
import type { ToSupervisor, ToWorker, PrintedPage } from '../cluster/messages.ts'
import type { MeasuredChange, MeasuredState } from '../../core/contracts/measured.ts'
import { type QueueDepth, queueDepth } from '../../data/queue/depth.ts'
import type { RunStatement } from '../../data/queue/queue.ts'
import { sendTexts } from '../../data/store/send.ts'
import type { Collector } from './collector.ts'
import { createCollector } from './collector.ts'
import type { OpenedCheck } from './database-check.ts'
import { createProcessStates } from './own-states.ts'

export interface ProcessMeasures {
  readonly collector: Collector
  /** Passes on measurements of a thread. */
  forward(changes: readonly MeasuredChange[]): void
  /** Reports the counts, and returns the current values. */
  measured(message: Question): Promise<readonly MeasuredState[]>
  /** Returns the metrics page of all processes; null when it cannot be created. */
  printMetrics(): Promise<PrintedPage | null>
  /** Receives the requested page. */
  receivePage(message: Extract<ToWorker, { type: 'page' }>): void
}

type Question = Extract<ToWorker, { type: 'ask' }>

/** Milliseconds to wait for a page. */
const PAGE_TIMEOUT = 5_000

/** Starts measuring. @param database checks the database, whose state all processes share */
export function measureProcess(send: (message: ToSupervisor) => void, database: OpenedCheck): ProcessMeasures {
  const forward = (changes: readonly MeasuredChange[]): void => send({ type: 'measured', changes })
  const collector = createCollector({ report: forward })
  const processStates = createProcessStates()
  const waiting = new Map<number, (page: PrintedPage | null) => void>()
  let ids = 0
  return {
    collector,
    forward,
    async measured({ process, shared }) {
      // Messages arrive in order, so the supervisor has the sums before the answer.
      collector.flush()
      forward(processStates.changes(process))
      const common = shared ? await sharedStates(database) : []
      return [...collector.states(process), ...processStates.states(process), ...common]
    },
    printMetrics() {
      const id = ++ids
      return new Promise((resolve) => {
        const settle = (page: PrintedPage | null): void => {
          clearTimeout(timeout)
          waiting.delete(id)
          resolve(page)
        }
        const timeout = setTimeout(() => settle(null), PAGE_TIMEOUT)
        waiting.set(id, settle)
        send({ type: 'page', id })
      })
    },
    receivePage({ id, page }) {
      waiting.get(id)?.(page)
    },
  }
}

/**
 * Answers a question of the supervising process.
 * @param measures null when nothing is measured
 */
export async function answerQuestion(
  question: Question,
  database: OpenedCheck,
  measures: ProcessMeasures | null,
  send: (message: ToSupervisor) => void,
): Promise<void> {
  const { id, question: what } = question
  const states = what === 'measures' && measures !== null ? await measures.measured(question) : []
  const problem = what === 'ready' ? ((await database.problem())?.message ?? null) : null
  send({ type: 'answer', id, states, problem })
}

/** Returns the state of the database and its queue; without an answer, only that there was none. */
async function sharedStates(database: OpenedCheck): Promise<readonly MeasuredState[]> {
  const depth = await database.ask((sql) => {
    const run: RunStatement = (statement) => sendTexts(sql, statement).values()
    return queueDepth(run)
  })
  const up = { metric: 'database', labels: [], value: depth === null ? 0 : 1 }
  return depth === null ? [up] : [up, ...queueStates(depth)]
}

function queueStates({ oldest, ...counts }: QueueDepth): readonly MeasuredState[] {
  const states = Object.entries(counts).map(([state, value]) => ({ metric: 'queue', labels: [state], value }))
  return [...states, { metric: 'queueAge', labels: [], value: oldest }]
}
