/** The traces of a process: its spans, and their way to the process that supervises. */
import type { ToSupervisor } from '../cluster/messages.ts'
import type { EndedSpan, Tracer } from '../contracts/tracer.ts'
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
  readonly environment: string
  /** Identifies the build, null where it changes. */
  readonly release: string | null
  readonly send: (message: ToSupervisor, taken: () => void) => void
}

/** Begins to trace as the variables `OTEL_*` say, which the process that supervises complains of. */
export function openTraces({ environment, release, send }: TracesOptions): Traces {
  const batches = createSpanBatches({ release, send: (batch, taken) => send({ type: 'spans', ...batch }, taken) })
  return {
    tracer: tracerFor(environment, batches.add),
    pass: batches.add,
    close: batches.close,
  }
}

/** The tracer of a process or a thread. @param tell takes spans that have ended */
export function tracerFor(environment: string, tell: (span: EndedSpan) => void): Tracer {
  const { sampler } = samplingOf(process.env, environment)
  return createTracer({ sampler, propagators: propagatorsOf(process.env), tell })
}
