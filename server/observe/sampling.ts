/** Which traces are sampled: decided before the SDK is asked for a span, since most requests of a busy server are not. */
import type { node as Node } from '@opentelemetry/sdk-node'

type Sampler = Node.Sampler

/** Of the requests that bring no decision along, in production. In development all are sampled. */
export const SAMPLED_PART = 0.1

export interface SamplingOptions {
  readonly environment: string
  readonly log: { warn(fields: object, message: string): void }
}

/**
 * The sampler that `OTEL_TRACES_SAMPLER` names. Without one a request goes by the decision of its caller, and those without one
 * are sampled in part.
 */
export function samplerOf(
  node: typeof Node,
  variables: Readonly<Record<string, string | undefined>>,
  { environment, log }: SamplingOptions,
): Sampler {
  const { AlwaysOffSampler, AlwaysOnSampler, ParentBasedSampler, TraceIdRatioBasedSampler } = node
  const by = (root: Sampler): Sampler => new ParentBasedSampler({ root })
  const ratio = (): Sampler => new TraceIdRatioBasedSampler(partOf(variables['OTEL_TRACES_SAMPLER_ARG'], log))
  const name = variables['OTEL_TRACES_SAMPLER']?.trim() ?? ''
  switch (name) {
    case 'always_on':
      return new AlwaysOnSampler()
    case 'always_off':
      return new AlwaysOffSampler()
    case 'traceidratio':
      return ratio()
    case 'parentbased_always_on':
      return by(new AlwaysOnSampler())
    case 'parentbased_always_off':
      return by(new AlwaysOffSampler())
    case 'parentbased_traceidratio':
      return by(ratio())
  }
  if (name !== '') log.warn({ sampler: name }, 'OTEL_TRACES_SAMPLER names no sampler that is known here')
  return by(new TraceIdRatioBasedSampler(environment === 'production' ? SAMPLED_PART : 1))
}

function partOf(text: string | undefined, log: SamplingOptions['log']): number {
  const part = text === undefined || text.trim() === '' ? 1 : Number(text)
  if (part >= 0 && part <= 1) return part
  log.warn({ part: text }, 'OTEL_TRACES_SAMPLER_ARG is no number from 0 to 1: all is sampled')
  return 1
}
