/** The traces of a process: creates spans, and sends them to the supervising process. */
import type { ToSupervisor } from '../cluster/messages.ts'
import type { EndedSpan, Tracer } from '../../core/contracts/tracer.ts'
import { type ReadConstants, RecordFile, RequestRecords } from './kept-requests.ts'
import { readPropagators } from './propagation.ts'
import { createSampling } from './sampling.ts'
import { createSpanBatches } from './span-batches.ts'
import type { RecordedRequest } from './recorded-request.ts'
import { createTracer } from './tracer.ts'

export interface Traces {
  readonly tracer: Tracer
  /** Passes on a span of a thread. */
  pass(span: EndedSpan): void
  /** Keeps the record of a job, which its thread has made. */
  keep(record: RecordedRequest): void
  /** Sets the constants, whose values are masked in records. */
  maskConstants(constants: ReadConstants): void
  /** Sends the remaining spans, and writes the remaining records. */
  close(): Promise<void>
}

export interface TracesOptions {
  /** Whether the traces are sent to a receiver. */
  readonly sent: boolean
  /** Data folder of a server that records its last requests and jobs; null for one that does not. */
  readonly keptIn: string | null
  readonly environment: string
  /** Identifies the build; null when it changes. */
  readonly release: string | null
  readonly send: (message: ToSupervisor, onSent: () => void) => void
}

/** Starts tracing as configured by the variables `OTEL_*`. The supervising process warns about wrong values. */
export function openTraces({ environment, release, sent, keptIn, send }: TracesOptions): Traces {
  const batches = createSpanBatches({ release, send: (batch, onSent) => send({ type: 'spans', ...batch }, onSent) })
  const file = keptIn === null ? null : new RecordFile(keptIn)
  const records = file === null ? null : new RequestRecords(file.add)
  return {
    tracer: createProcessTracer(environment, sent ? batches.add : null, records),
    pass: (span) => batches.add(span),
    keep: (record) => file?.add(record),
    maskConstants: (constants) => records?.maskConstants(constants),
    close: async () => {
      await Promise.all([batches.close(), file?.close()])
    },
  }
}

/**
 * Creates the tracer of a process or a thread.
 * @param report receives spans that have ended; null when spans are not sent
 * @param records records details; null when nothing is recorded
 */
export function createProcessTracer(
  environment: string,
  report: ((span: EndedSpan) => void) | null,
  records: RequestRecords | null = null,
): Tracer {
  const sampler = report === null ? () => false : createSampling(process.env, environment).sampler
  return createTracer({
    sampler,
    propagators: readPropagators(process.env),
    report: report ?? (() => undefined),
    record: records?.record ?? null,
  })
}
