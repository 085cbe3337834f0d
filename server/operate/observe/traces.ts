/** The traces of a process: creates spans, and sends them to the supervising process. */
import type { ToSupervisor } from '../cluster/messages.ts'
import type { EndedSpan, Tracer } from '../../core/contracts/tracer.ts'
import { KeptTraces } from './kept-traces.ts'
import { readPropagators } from './propagation.ts'
import { createSampling } from './sampling.ts'
import { createSpanBatches } from './span-batches.ts'
import { createTracer } from './tracer.ts'

export interface Traces {
  readonly tracer: Tracer
  /** Passes on a span of a thread. */
  pass(span: EndedSpan): void
  /** Sends the remaining spans. */
  close(): Promise<void>
}

export interface TracesOptions {
  /** Whether the traces are sent to a receiver. */
  readonly sent: boolean
  /** Data folder of a server that keeps its last traces; null for one that does not. */
  readonly keptIn: string | null
  readonly environment: string
  /** Identifies the build; null when it changes. */
  readonly release: string | null
  readonly send: (message: ToSupervisor, onSent: () => void) => void
}

/** Starts tracing as configured by the variables `OTEL_*`. The supervising process warns about wrong values. */
export function openTraces({ environment, release, sent, keptIn, send }: TracesOptions): Traces {
  const batches = createSpanBatches({ release, send: (batch, onSent) => send({ type: 'spans', ...batch }, onSent) })
  const kept = keptIn === null ? null : new KeptTraces(keptIn)
  const add = (span: EndedSpan): void => {
    if (sent) batches.add(span)
    kept?.add(span)
  }
  return {
    tracer: createProcessTracer(environment, add),
    pass: add,
    close: async () => {
      await Promise.all([batches.close(), kept?.close()])
    },
  }
}

/** Creates the tracer of a process or a thread. @param report receives spans that have ended */
export function createProcessTracer(environment: string, report: (span: EndedSpan) => void): Tracer {
  const { sampler } = createSampling(process.env, environment)
  return createTracer({ sampler, propagators: readPropagators(process.env), report })
}
