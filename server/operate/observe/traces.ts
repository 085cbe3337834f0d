/** The traces of a process: its spans, and their way to the process that supervises. */
import type { ToSupervisor } from '../cluster/messages.ts'
import type { EndedSpan, Tracer } from '../../core/contracts/tracer.ts'
import { KeptTraces } from './kept-traces.ts'
import { propagatorsOf } from './propagation.ts'
import { samplingOf } from './sampling.ts'
import { createSpanBatches } from './span-batches.ts'
import { createTracer } from './tracer.ts'

export interface Traces {
  readonly tracer: Tracer
  /** Takes a span of a thread. */
  pass(span: EndedSpan): void
  /** Hands over what is left. */
  close(): Promise<void>
}

export interface TracesOptions {
  /** Whether they are sent anywhere. */
  readonly sent: boolean
  /** The data folder of a server that keeps its last ones for who looks at them; null for one that does not. */
  readonly keptIn: string | null
  readonly environment: string
  /** Identifies the build, null where it changes. */
  readonly release: string | null
  readonly send: (message: ToSupervisor, taken: () => void) => void
}

/** Begins to trace as the variables `OTEL_*` say, which the process that supervises complains of. */
export function openTraces({ environment, release, sent, keptIn, send }: TracesOptions): Traces {
  const batches = createSpanBatches({ release, send: (batch, taken) => send({ type: 'spans', ...batch }, taken) })
  const kept = keptIn === null ? null : new KeptTraces(keptIn)
  const add = (span: EndedSpan): void => {
    if (sent) batches.add(span)
    kept?.add(span)
  }
  return {
    tracer: tracerFor(environment, add),
    pass: add,
    close: async () => {
      await Promise.all([batches.close(), kept?.close()])
    },
  }
}

/** The tracer of a process or a thread. @param tell takes spans that have ended */
export function tracerFor(environment: string, tell: (span: EndedSpan) => void): Tracer {
  const { sampler } = samplingOf(process.env, environment)
  return createTracer({ sampler, propagators: propagatorsOf(process.env), tell })
}
