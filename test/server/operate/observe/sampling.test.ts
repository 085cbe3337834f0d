/** Tests which traces are sampled, with and without the SDK's variables. */
import { createHash } from 'node:crypto'
import { api, node } from '@opentelemetry/sdk-node'
import { expect, test } from 'vitest'
import { samplingPoint, SAMPLED_PER_SECOND, createSampling } from '../../../../server/operate/observe/sampling.ts'

const IDS = Array.from({ length: 2_000 }, (_, n) => createHash('md5').update(String(n)).digest('hex'))
const spanId = 'b7ad6b7169203331'

/** Returns the fraction of requests that is sampled. `sampled` is the decision of the caller, if there is one. */
function part(
  variables: Record<string, string>,
  environment: string,
  sampled?: boolean,
): { part: number; said: string[] } {
  // One request every hundred milliseconds.
  let now = 0
  const { sampler, problems } = createSampling(variables, environment, () => (now += 100))
  const kept = IDS.filter((traceId) =>
    sampler(sampled === undefined ? null : { traceId, spanId, sampled }, samplingPoint(traceId)),
  )
  return { part: Math.round((kept.length / IDS.length) * 20) / 20, said: problems.map(({ message }) => message) }
}

test('without a name a tenth in production, all in development, and what the caller has decided in both', () => {
  expect(part({}, 'production')).toEqual({ part: 0.1, said: [] })
  expect(part({}, 'development')).toEqual({ part: 1, said: [] })
  expect(part({}, 'production', true).part).toBe(1)
  expect(part({}, 'development', false).part).toBe(0)
})

test('a busy process in production keeps so many a second, and what its callers want', () => {
  let now = 0
  const { sampler } = createSampling({}, 'production', () => now)
  const keptOf = (seconds: number): number => {
    let kept = 0
    for (let at = 0; at < seconds * IDS.length; at++) {
      now += 1000 / IDS.length
      if (sampler(null, samplingPoint(IDS[at % IDS.length] ?? ''))) kept++
    }
    return kept
  }
  // The burst limit plus the limit for the elapsed time.
  expect(keptOf(1)).toBeLessThanOrEqual(2 * SAMPLED_PER_SECOND)
  expect(keptOf(10)).toBeGreaterThan(9 * SAMPLED_PER_SECOND)
  expect(keptOf(10)).toBeLessThanOrEqual(10 * SAMPLED_PER_SECOND + 1)
  const [traceId = ''] = IDS
  expect(sampler({ traceId, spanId, sampled: true }, samplingPoint(traceId))).toBe(true)
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
  expect([undefined, true, false].map((each) => part(variables, 'production', each))).toEqual(
    parts.map((each) => ({ part: each, said: [] })),
  )
})

test.each(['0', '0.001', '0.25', '0.5', '0.999', '1'])(
  '%s of the traces are those that the SDK samples',
  (argument) => {
    const { sampler } = createSampling(
      { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: argument },
      'production',
    )
    const theirs = new node.TraceIdRatioBasedSampler(Number(argument))
    const isTheirs = (id: string): boolean =>
      theirs.shouldSample(api.ROOT_CONTEXT, id).decision === node.SamplingDecision.RECORD_AND_SAMPLED
    const ids = [...IDS, 'f'.repeat(32), `${'0'.repeat(31)}1`, 'ffffffff000000000000000000000000']
    expect(ids.filter((id) => sampler(null, samplingPoint(id)))).toEqual(ids.filter(isTheirs))
  },
)

test('what names nothing, or no part, is said', () => {
  expect(part({ OTEL_TRACES_SAMPLER: 'some' }, 'production')).toEqual({
    part: 0.1,
    said: ['OTEL_TRACES_SAMPLER is not a known sampler: the default is used'],
  })
  for (const argument of ['2', '-0.1', 'half'])
    expect(part({ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: argument }, 'production')).toEqual({
      part: 1,
      said: ['OTEL_TRACES_SAMPLER_ARG is not a number from 0 to 1: all traces are sampled'],
    })
})
