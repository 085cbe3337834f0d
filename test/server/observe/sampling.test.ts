/** Which traces are sampled, by the variables of the SDK and without them. */
import { createHash } from 'node:crypto'
import { api, node } from '@opentelemetry/sdk-node'
import { expect, test } from 'vitest'
import { samplerOf } from '../../../server/observe/sampling.ts'

const { ROOT_CONTEXT, SpanKind, TraceFlags, trace } = api
const IDS = Array.from({ length: 2_000 }, (_, n) => createHash('md5').update(String(n)).digest('hex'))
const spanId = 'b7ad6b7169203331'

/** The part of requests that is sampled; `flags` are those of the caller, where there is one. */
function part(
  variables: Record<string, string>,
  environment: string,
  flags?: number,
): { part: number; said: string[] } {
  const said: string[] = []
  const log = { warn: (_: object, message: string) => void said.push(message) }
  const sampler = samplerOf(node, variables, { environment, log })
  const kept = IDS.filter((traceId) => {
    const context =
      flags === undefined
        ? ROOT_CONTEXT
        : trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: flags, isRemote: true })
    const { decision } = sampler.shouldSample(context, traceId, 'GET', SpanKind.SERVER, {}, [])
    return decision === node.SamplingDecision.RECORD_AND_SAMPLED
  })
  return { part: Math.round((kept.length / IDS.length) * 20) / 20, said }
}

test('without a name a tenth in production, all in development, and what the caller has decided in both', () => {
  expect(part({}, 'production')).toEqual({ part: 0.1, said: [] })
  expect(part({}, 'development')).toEqual({ part: 1, said: [] })
  expect(part({}, 'production', TraceFlags.SAMPLED).part).toBe(1)
  expect(part({}, 'development', TraceFlags.NONE).part).toBe(0)
})

test.each([
  ['always_on', undefined, [1, 1, 1]],
  ['always_off', undefined, [0, 0, 0]],
  ['traceidratio', '0.5', [0.5, 0.5, 0.5]],
  ['traceidratio', undefined, [1, 1, 1]],
  ['parentbased_always_on', undefined, [1, 1, 0]],
  ['parentbased_always_off', undefined, [0, 1, 0]],
  ['parentbased_traceidratio', '0.25', [0.25, 1, 0]],
])('%s %s: alone, below what is sampled, below what is not', (name, argument, parts) => {
  const variables = { OTEL_TRACES_SAMPLER: name, ...(argument !== undefined && { OTEL_TRACES_SAMPLER_ARG: argument }) }
  const flags = [undefined, TraceFlags.SAMPLED, TraceFlags.NONE]
  expect(flags.map((each) => part(variables, 'production', each))).toEqual(
    parts.map((each) => ({ part: each, said: [] })),
  )
})

test('what names nothing, or no part, is said', () => {
  expect(part({ OTEL_TRACES_SAMPLER: 'some' }, 'production')).toEqual({
    part: 0.1,
    said: ['OTEL_TRACES_SAMPLER names no sampler that is known here'],
  })
  for (const argument of ['2', '-0.1', 'half'])
    expect(part({ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: argument }, 'production')).toEqual({
      part: 1,
      said: ['OTEL_TRACES_SAMPLER_ARG is no number from 0 to 1: all is sampled'],
    })
})
