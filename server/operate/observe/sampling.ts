/** Which traces are sampled: decided when they begin, since most requests of a busy server are not. */
import type { TraceParent } from '../../web/http/trace-context.ts'

/** Of the requests that bring no decision along, in production. In development all are sampled. */
export const SAMPLED_PART = 0.1
/** How many of them a second in each process, in production: a server at its limit keeps fewer of them. */
export const SAMPLED_PER_SECOND = 20

type Variables = Readonly<Record<string, string | undefined>>

/** Decides whether a trace is sampled. */
export type Sampler = (
  /** What it is a part of; null where it begins here. */
  parent: TraceParent | null,
  /** The point of its id: see `pointOf`. */
  point: number,
) => boolean

/** A sampler, and what is wrong with the variables that name it. */
export interface Sampling {
  readonly sampler: Sampler
  readonly problems: readonly SamplingProblem[]
}

export interface SamplingProblem {
  readonly fields: Readonly<Record<string, string>>
  readonly message: string
}

/** One above the largest point. */
const POINTS = 0x1_0000_0000

/**
 * The point of a trace id, evenly distributed from 0 to 2³² - 1: the part of all traces is below a bound. As the SDK of
 * OpenTelemetry computes it, so that servers that sample the same part sample the same traces.
 */
export function pointOf(traceId: string): number {
  let point = 0
  for (let at = 0; at < 32; at += 8) point ^= Number.parseInt(traceId.slice(at, at + 8), 16)
  return point >>> 0
}

/**
 * The sampler that `OTEL_TRACES_SAMPLER` names. Without one a request goes by the decision of its caller, and those without one
 * are sampled in part.
 * @param now the time in milliseconds
 */
export function samplingOf(
  variables: Variables,
  environment: string,
  now: () => number = () => performance.now(),
): Sampling {
  const name = variables['OTEL_TRACES_SAMPLER']?.trim() ?? ''
  const part = partOf(variables['OTEL_TRACES_SAMPLER_ARG'])
  const known = new Map<string, Sampler>([
    ['always_on', ALWAYS],
    ['always_off', NEVER],
    ['traceidratio', below(part ?? 1)],
    ['parentbased_always_on', byParent(ALWAYS)],
    ['parentbased_always_off', byParent(NEVER)],
    ['parentbased_traceidratio', byParent(below(part ?? 1))],
  ]).get(name)
  if (known !== undefined)
    return { sampler: known, problems: part === null && name.endsWith('ratio') ? [noPart(variables)] : [] }
  const own = environment === 'production' ? atMost(below(SAMPLED_PART), SAMPLED_PER_SECOND, now) : ALWAYS
  return { sampler: byParent(own), problems: name === '' ? [] : [unknown(name)] }
}

const ALWAYS: Sampler = () => true
const NEVER: Sampler = () => false

function byParent(root: Sampler): Sampler {
  return (parent, point) => (parent === null ? root(null, point) : parent.sampled)
}

/** @param part from 0 to 1 */
function below(part: number): Sampler {
  const bound = part === 1 ? POINTS : Math.floor(part * (POINTS - 1))
  return (_parent, point) => point < bound
}

/** Samples what another one does, up to a number a second. What a quiet second has left over is lost. */
function atMost(inner: Sampler, perSecond: number, now: () => number): Sampler {
  let left = perSecond
  let filledAt = now()
  return (parent, point) => {
    if (!inner(parent, point)) return false
    const time = now()
    left = Math.min(perSecond, left + ((time - filledAt) / 1000) * perSecond)
    filledAt = time
    if (left < 1) return false
    left--
    return true
  }
}

/** Null for what is no part. */
function partOf(text: string | undefined): number | null {
  const part = text === undefined || text.trim() === '' ? 1 : Number(text)
  return part >= 0 && part <= 1 ? part : null
}

function noPart(variables: Variables): SamplingProblem {
  const message = 'OTEL_TRACES_SAMPLER_ARG is no number from 0 to 1: all is sampled'
  return { fields: { part: variables['OTEL_TRACES_SAMPLER_ARG'] ?? '' }, message }
}

function unknown(sampler: string): SamplingProblem {
  return { fields: { sampler }, message: 'OTEL_TRACES_SAMPLER names no sampler that is known here' }
}
