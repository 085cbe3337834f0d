/** Keeps the sums of all processes in the supervising process, and asks the processes for current values. */
import type { PrintedPage, ToSupervisor } from '../cluster/messages.ts'
import type { ProcessObserver, WatchedProcess } from '../cluster/model.ts'
import type { MeasuredState } from '../../core/contracts/measured.ts'
import type { Readiness } from './health.ts'
import { createProcessStates } from './own-states.ts'
import { createSums, printableMetrics, type Sums } from './sums.ts'

export interface Hub extends ProcessObserver {
  /** Prints the metrics of all processes. */
  printMetrics(): Promise<PrintedPage>
  /** Returns the metrics of all processes as values. */
  measured(): Promise<Measured>
  /** Returns whether at least one process is ready. */
  ready(): Promise<Readiness>
  /** From now on, reports that the server is not ready. */
  drain(): void
}

/** The counts of all processes, and the current values. */
export interface Measured {
  readonly sums: Sums
  readonly states: readonly MeasuredState[]
}

/** Milliseconds that a process has to answer. After that, it is reported as down. */
const ANSWER_TIMEOUT = 2_000

type Answer = Extract<ToSupervisor, { type: 'answer' }>

/** Creates the hub. @param processes returns the processes that are ready */
export function createHub(processes: () => readonly WatchedProcess[]): Hub {
  const sums = createSums()
  const waiting = new Map<number, (answer: Answer | null) => void>()
  const supervisorStates = createProcessStates()
  let ids = 0
  let draining = false
  let pendingPage: Promise<PrintedPage> | null = null

  function ask(process: WatchedProcess, question: 'measures' | 'ready', isShared: boolean): Promise<Answer | null> {
    const id = ++ids
    return new Promise((done) => {
      const settle = (answer: Answer | null): void => {
        clearTimeout(timeout)
        waiting.delete(id)
        done(answer)
      }
      const timeout = setTimeout(() => settle(null), ANSWER_TIMEOUT)
      waiting.set(id, settle)
      if (!process.send({ type: 'ask', id, question, shared: isShared, process: process.name })) settle(null)
    })
  }

  async function measured(): Promise<Measured> {
    const all = processes()
    // One process reports what all of them share, such as the queue.
    const answers = await Promise.all(all.map((each, at) => ask(each, 'measures', at === 0)))
    const upStates = all.map(({ name }, at) => ({ metric: 'up', labels: [name], value: answers[at] === null ? 0 : 1 }))
    const states: MeasuredState[] = [...upStates, ...answers.flatMap((answer) => answer?.states ?? [])]
    sums.add(supervisorStates.changes())
    return { sums, states: [...states, ...supervisorStates.states('supervisor')] }
  }

  async function print(): Promise<PrintedPage> {
    const { states } = await measured()
    const { printPage } = await import('./page.ts')
    return printPage(printableMetrics(sums, states))
  }

  const hub: Hub = {
    received(from, message) {
      if (message.type === 'measured') sums.add(message.changes)
      else if (message.type === 'answer') waiting.get(message.id)?.(message)
      else if (message.type === 'page') {
        const { id } = message
        hub.printMetrics().then(
          (page) => from.send({ type: 'page', id, page }),
          () => from.send({ type: 'page', id, page: null }),
        )
      }
    },
    ended({ kind }, isExpected) {
      if (!isExpected) sums.add([{ metric: 'exits', labels: [kind], sum: 1 }])
    },
    // Requests that come while a page is being printed get the same page.
    printMetrics() {
      pendingPage ??= print().finally(() => {
        pendingPage = null
      })
      return pendingPage
    },
    measured,
    async ready() {
      if (draining) return { status: 'not ready', reason: 'the server is stopping' }
      const [first] = processes()
      if (first === undefined) return { status: 'not ready', reason: 'no process is ready' }
      const answer = await ask(first, 'ready', false)
      if (answer === null) return { status: 'not ready', reason: 'no process answers' }
      return answer.problem === null ? { status: 'ready' } : { status: 'not ready', reason: answer.problem }
    },
    drain() {
      draining = true
    },
  }
  return hub
}
