/** Decides which traces are sampled. The decision is made when a trace begins, because most requests of a busy server are not sampled. */
import type { TraceParent } from '../../web/http/trace-context.ts'

/** Share of sampled requests without a decision of their caller, in production. In development, all are sampled. */
const SAMPLED_SHARE = 0.1
/** Maximum number of sampled requests per second and process, in production. @internal Exported for tests. */
export const SAMPLED_PER_SECOND = 20

type Variables = Readonly<Record<string, string | undefined>>

/** Decides whether to sample a trace. */
export type Sampler = (
  /** The parent span; null when the trace begins here. */
  parent: TraceParent | null,
  /** The sampling point of the trace id: see `samplingPoint`. */
  point: number,
) => boolean

/** A sampler, and the problems of the variables that select it. */
export interface Sampling {
  readonly sampler: Sampler
  readonly problems: readonly SamplingProblem[]
}

interface SamplingProblem {
  readonly fields: Readonly<Record<string, string>>
  readonly message: string
}

/** One more than the largest sampling point. */
const POINTS = 0x1_0000_0000

/**
 * Returns the sampling point of a trace id: evenly distributed from 0 to 2³² - 1. A share of traces is sampled by a bound on the points. It
 * is computed like in OpenTelemetry's SDK, so that servers with the same share sample the same traces.
 */
export function samplingPoint(traceId: string): number {
  let point = 0
  for (let at = 0; at < 32; at += 8) point ^= Number.parseInt(traceId.slice(at, at + 8), 16)
  return point >>> 0
}

/**
 * Creates the sampler of `OTEL_TRACES_SAMPLER`. By default, a request uses the decision of its caller; requests without one are sampled
 * by share.
 * @param now returns the time in milliseconds
 */
export function createSampling(
  variables: Variables,
  environment: string,
  now: () => number = () => performance.now(),
): Sampling {
  const name = variables['OTEL_TRACES_SAMPLER']?.trim() ?? ''
  const share = parseShare(variables['OTEL_TRACES_SAMPLER_ARG'])
  const known = new Map<string, Sampler>([
    ['always_on', ALWAYS],
    ['always_off', NEVER],
    ['traceidratio', sampleShare(share ?? 1)],
    ['parentbased_always_on', byParent(ALWAYS)],
    ['parentbased_always_off', byParent(NEVER)],
    ['parentbased_traceidratio', byParent(sampleShare(share ?? 1))],
  ]).get(name)
  if (known !== undefined)
    return { sampler: known, problems: share === null && name.endsWith('ratio') ? [invalidShare(variables)] : [] }
  const own = environment === 'production' ? limitRate(sampleShare(SAMPLED_SHARE), SAMPLED_PER_SECOND, now) : ALWAYS
  return { sampler: byParent(own), problems: name === '' ? [] : [unknownSampler(name)] }
}

const ALWAYS: Sampler = () => true
const NEVER: Sampler = () => false

function byParent(root: Sampler): Sampler {
  return (parent, point) => (parent === null ? root(null, point) : parent.sampled)
}

/** Samples a share of all traces. @param share from 0 to 1 */
function sampleShare(share: number): Sampler {
  const limit = share === 1 ? POINTS : Math.floor(share * (POINTS - 1))
  return (_parent, point) => point < limit
}

/** Limits another sampler to a number of traces per second. Unused samples of a second are not carried over. */
function limitRate(inner: Sampler, perSecond: number, now: () => number): Sampler {
  let remaining = perSecond
  let filledAt = now()
  return (parent, point) => {
    if (!inner(parent, point)) return false
    const time = now()
    remaining = Math.min(perSecond, remaining + ((time - filledAt) / 1000) * perSecond)
    filledAt = time
    if (remaining < 1) return false
    remaining--
    return true
  }
}

/** Parses a share; returns null when it is not a number from 0 to 1. */
function parseShare(text: string | undefined): number | null {
  const share = text === undefined || text.trim() === '' ? 1 : Number(text)
  return share >= 0 && share <= 1 ? share : null
}

function invalidShare(variables: Variables): SamplingProblem {
  const message = 'OTEL_TRACES_SAMPLER_ARG is not a number from 0 to 1: all traces are sampled'
  return { fields: { part: variables['OTEL_TRACES_SAMPLER_ARG'] ?? '' }, message }
}

function unknownSampler(sampler: string): SamplingProblem {
  return { fields: { sampler }, message: 'OTEL_TRACES_SAMPLER is not a known sampler: the default is used' }
}
