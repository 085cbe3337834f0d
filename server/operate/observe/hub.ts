/** In the process that supervises: keeps the sums of all processes, and asks them when somebody looks. */
import type { PrintedPage, ToSupervisor } from '../cluster/messages.ts'
import type { ProcessObserver, WatchedProcess } from '../cluster/model.ts'
import type { MeasuredState } from '../../core/contracts/measured.ts'
import type { Readiness } from './health.ts'
import { ownStates } from './own-states.ts'
import { createSums, printedMetrics, type Sums } from './sums.ts'

export interface Hub extends ProcessObserver {
  /** The metrics of all processes. */
  page(): Promise<PrintedPage>
  /** The same as values. */
  measured(): Promise<Measured>
  /** Whether one of the processes can work. */
  ready(): Promise<Readiness>
  /** From now on the server says that it is not ready. */
  drain(): void
}

/** What all processes have counted, and the present states. */
export interface Measured {
  readonly sums: Sums
  readonly states: readonly MeasuredState[]
}

/** Milliseconds that a process has to answer; a busy one is told as one that did not. */
const PATIENCE = 2_000

type Answer = Extract<ToSupervisor, { type: 'answer' }>

/** @param processes the processes that are ready */
export function createHub(processes: () => readonly WatchedProcess[]): Hub {
  const sums = createSums()
  const waiting = new Map<number, (answer: Answer | null) => void>()
  const own = ownStates()
  let ids = 0
  let draining = false
  let printing: Promise<PrintedPage> | null = null

  function ask(process: WatchedProcess, what: 'measures' | 'ready', shared: boolean): Promise<Answer | null> {
    const id = ++ids
    return new Promise((done) => {
      const settle = (answer: Answer | null): void => {
        clearTimeout(late)
        waiting.delete(id)
        done(answer)
      }
      const late = setTimeout(() => settle(null), PATIENCE)
      waiting.set(id, settle)
      if (!process.send({ type: 'ask', id, what, shared, process: process.name })) settle(null)
    })
  }

  async function measured(): Promise<Measured> {
    const all = processes()
    // What all processes share, such as the queue, is asked of one of them.
    const answers = await Promise.all(all.map((each, at) => ask(each, 'measures', at === 0)))
    const up = all.map(({ name }, at) => ({ metric: 'up', labels: [name], value: answers[at] === null ? 0 : 1 }))
    const states: MeasuredState[] = [...up, ...answers.flatMap((answer) => answer?.states ?? [])]
    sums.add(own.changes())
    return { sums, states: [...states, ...own.states('supervisor')] }
  }

  async function print(): Promise<PrintedPage> {
    const { states } = await measured()
    const { printPage } = await import('./page.ts')
    return printPage(printedMetrics(sums, states))
  }

  const hub: Hub = {
    received(from, message) {
      if (message.type === 'measured') sums.add(message.changes)
      else if (message.type === 'answer') waiting.get(message.id)?.(message)
      else if (message.type === 'page') {
        const { id } = message
        hub.page().then(
          (page) => from.send({ type: 'page', id, page }),
          () => from.send({ type: 'page', id, page: null }),
        )
      }
    },
    ended({ kind }, expected) {
      if (!expected) sums.add([{ metric: 'exits', labels: [kind], sum: 1 }])
    },
    // Whoever asks while a page is being made gets the same one.
    page() {
      printing ??= print().finally(() => {
        printing = null
      })
      return printing
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
