/** Tests the parsing and propagation of trace headers. */
import { describe, expect, test } from 'vitest'
import { listen } from '../../../../server/web/http/listen.ts'
import { parseBaggage, parseTraceParent, parseTraceState } from '../../../../server/web/http/trace-context.ts'
import { readPropagators } from '../../../../server/operate/observe/propagation.ts'
import { samplingPoint, SAMPLED_PER_SECOND, createSampling } from '../../../../server/operate/observe/sampling.ts'
import { createTracer } from '../../../../server/operate/observe/tracer.ts'
import type { EndedSpan, IncomingTraceHeaders, Tracer } from '../../../../server/core/contracts/tracer.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const SPAN = 'b7ad6b7169203331'
const PARENT = `00-${TRACE}-${SPAN}-01`

describe('traceparent', () => {
  test('names a trace, a span and a decision', () => {
    expect(parseTraceParent(PARENT)).toEqual({ traceId: TRACE, spanId: SPAN, sampled: true })
    expect(parseTraceParent(`00-${TRACE}-${SPAN}-00`)?.sampled).toBe(false)
    // Other flags belong to later versions of the standard.
    expect(parseTraceParent(`00-${TRACE}-${SPAN}-fe`)?.sampled).toBe(false)
    expect(parseTraceParent(`00-${TRACE}-${SPAN}-ff`)?.sampled).toBe(true)
    expect(parseTraceParent(`01-${TRACE}-${SPAN}-01-more`)).toEqual({ traceId: TRACE, spanId: SPAN, sampled: true })
  })

  test.each([
    '',
    'nonsense',
    `00-${TRACE}-${SPAN}`,
    `00-${TRACE}-${SPAN}-01-more`,
    `00-${TRACE}-${SPAN}-01-`,
    `01-${TRACE}-${SPAN}-01more`,
    `ff-${TRACE}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `${PARENT}, ${PARENT}`,
    `00-${TRACE}-${SPAN}-0g`,
  ])('%j is none', (header) => expect(parseTraceParent(header)).toBeNull())
})

describe('tracestate', () => {
  test('goes on in its order, without empty members and blanks around them', () => {
    expect(parseTraceState('b=2 ,\ta=1,, c@d=x:y')).toBe('b=2,a=1,c@d=x:y')
    const most = Array.from({ length: 32 }, (_, n) => `k${n}=${n}`).join(',')
    expect(parseTraceState(most)).toBe(most)
  })

  test.each([
    ['', 'no member'],
    ['a', 'no equals sign'],
    ['=1', 'no key'],
    ['A=1', 'capitals'],
    ['a=1=2', 'two equals signs'],
    ['a=', 'no value'],
    ['a=\u00e9', 'not ASCII'],
    ['a=1\r\nX-Evil: 1', 'a line'],
    ['a=1,a=2', 'a key twice'],
    [`${'k'.repeat(257)}=1`, 'a long key'],
    [`a=${'v'.repeat(257)}`, 'a long value'],
    [Array.from({ length: 33 }, (_, n) => `k${n}=1`).join(','), 'more than 32 members'],
  ])('%j is none: %s', (header) => expect(parseTraceState(header)).toBeNull())

  test('that is too long loses its long members, then its last ones', () => {
    const long = `long=${'x'.repeat(200)}`
    const short = Array.from({ length: 30 }, (_, n) => `k${n}=${'y'.repeat(20)}`)
    const kept = parseTraceState([short[0], long, ...short.slice(1)].join(','))
    expect(kept?.length).toBeLessThanOrEqual(512)
    expect(short.join(',').startsWith(kept ?? 'none')).toBe(true)
    expect(parseTraceState([long, `m=${'x'.repeat(200)}`, `n=${'x'.repeat(200)}`].join(','))).toBeNull()
  })
})

describe('baggage', () => {
  test('goes on as it came, without the members that are none', () => {
    expect(parseBaggage('dish=soup;hot;spoons=2, user=%C3%A9 ,x=')).toBe('dish=soup;hot;spoons=2,user=%C3%A9,x=')
    expect(parseBaggage('a=1,b c=2,=3,d="4",e=\u00e9,f=1\r\nX-Evil: 1,g=5')).toBe('a=1,g=5')
    expect(parseBaggage(',,;')).toBeNull()
  })

  test('ends at 64 members, and at 8,192 bytes', () => {
    const many = Array.from({ length: 70 }, (_, n) => `k${n}=${n}`)
    expect(parseBaggage(many.join(','))).toBe(many.slice(0, 64).join(','))
    const long = Array.from({ length: 10 }, (_, n) => `k${n}=${'x'.repeat(1_000)}`)
    expect(parseBaggage(long.join(','))).toBe(long.slice(0, 8).join(','))
    expect(parseBaggage(`a=${'x'.repeat(100_000)}`)).toBeNull()
  })

  // These headers have the maximum length, and would be slow for a bad parser.
  test.each([
    `a=1${' ;a'.repeat(5_000)}!`,
    `a${' '.repeat(16_000)}`,
    `a=1;${'a=1 '.repeat(4_000)}`,
    ';'.repeat(16_000),
  ])('%# is none, and that is found within the time of a test', (header) => expect(parseBaggage(header)).toBeNull())
})

/** Returns a tracer that samples everything or nothing, and the spans that it reports. */
function tracerOf(sampled: boolean, names?: string): { tracer: Tracer; told: EndedSpan[] } {
  const told: EndedSpan[] = []
  const propagators = readPropagators(names === undefined ? {} : { OTEL_PROPAGATORS: names })
  const tracer = createTracer({ sampler: () => sampled, propagators, report: (span) => void told.push(span) })
  return { tracer, told }
}

const HEADERS = { traceparent: PARENT, tracestate: 'shop=1', baggage: 'dish=soup' }

describe('what goes on', () => {
  test.each([
    [undefined, ['baggage', 'traceparent', 'tracestate']],
    ['', ['baggage', 'traceparent', 'tracestate']],
    ['tracecontext', ['traceparent', 'tracestate']],
    ['baggage', ['baggage']],
    [' baggage , tracecontext', ['baggage', 'traceparent', 'tracestate']],
    ['none', []],
    ['b3', []],
  ])('is named by OTEL_PROPAGATORS: %j', (names, kept) => {
    for (const sampled of [true, false]) {
      const { tracer } = tracerOf(sampled, names)
      const span = tracer.request(HEADERS, 'GET', true)
      expect(Object.keys(span.headers()).sort()).toEqual(kept)
      expect(span.traceId === TRACE).toBe(kept.includes('traceparent'))
      // Jobs and threads of this server receive the trace in any case.
      expect(span.internalHeaders()['traceparent']).toMatch(sampled ? /-01$/ : /-00$/)
    }
    expect(readPropagators({ OTEL_PROPAGATORS: names }).unknown).toEqual(names === 'b3' ? ['b3'] : [])
  })

  test('of a request that is not sampled is one trace, made when somebody asks', () => {
    const { tracer, told } = tracerOf(false)
    const span = tracer.request({}, 'GET', true)
    expect(span.traceId).toBeNull()
    expect(span.child('query', 'client', {})).toBe(span)
    const [first, second] = [span.headers(), span.headers()].map((each) => each['traceparent'] ?? '')
    expect(first).toMatch(/^00-[\da-f]{32}-[\da-f]{16}-00$/)
    expect(second?.slice(0, 36)).toBe(first?.slice(0, 36))
    expect(span.traceId).toBe(first?.slice(3, 35))
    span.end()
    expect(told).toEqual([])
  })

  test('to a thread comes back as spans below the one that was handed over, whose end is told once', () => {
    const { tracer, told } = tracerOf(true)
    const job = tracer.job('job tidy', HEADERS, { 'ingot.job.id': '1' })
    const inThread = tracer.continueTrace(job.internalHeaders())
    const query = inThread?.child('query list', 'client', {})
    query?.fail(new RangeError('x'.repeat(5_000)))
    query?.end()
    inThread?.end()
    job.end()
    expect(told.map(({ name }) => name)).toEqual(['query list', 'job tidy'])
    const [below, above] = told
    expect(above).toMatchObject({ parentId: null, state: null, link: { traceId: TRACE, spanId: SPAN } })
    expect(below).toMatchObject({ traceId: above?.traceId, parentId: above?.spanId, link: null })
    expect(below?.error).toEqual({ type: 'RangeError', message: 'x'.repeat(1_000) })
    expect(job.headers()['baggage']).toBe('dish=soup')
    expect(tracer.continueTrace({})).toBeNull()
    expect(tracer.continueTrace({ traceparent: `00-${TRACE}-${SPAN}-00` })?.sampled).toBe(false)
  })

  test('has ids of its own each time, whose traces are spread evenly', () => {
    const { tracer, told } = tracerOf(true)
    for (let i = 0; i < 5_000; i++) tracer.request({}, 'GET', true).end()
    expect(new Set(told.map(({ traceId }) => traceId)).size).toBe(5_000)
    expect(new Set(told.map(({ spanId }) => spanId)).size).toBe(5_000)
    const part = told.filter(({ traceId }) => samplingPoint(traceId) < 2 ** 31).length / 5_000
    expect(part).toBeGreaterThan(0.4)
    expect(part).toBeLessThan(0.6)
  })

  test('the point of a trace is that of its id', () => {
    const points: number[] = []
    const told: EndedSpan[] = []
    const tracer = createTracer({
      sampler: (_parent, point) => points.push(point) > 0,
      propagators: readPropagators({}),
      report: (span) => void told.push(span),
    })
    for (let i = 0; i < 1_000; i++) tracer.request(i % 2 === 0 ? {} : HEADERS, 'GET', true).end()
    expect(points).toEqual(told.map(({ traceId }) => samplingPoint(traceId)))
  })
})

describe('of a request that comes from no proxy of the site', () => {
  /** Any visitor can send such headers, with an id that is always sampled. */
  const forged = (n: number): IncomingTraceHeaders => ({
    ...HEADERS,
    traceparent: `00-${'0'.repeat(24)}${(n + 1).toString(16).padStart(8, '0')}-${SPAN}-01`,
  })

  test('nothing decides what is sampled, whatever the sampler', () => {
    for (const variables of [{}, { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' }]) {
      const told: EndedSpan[] = []
      const { sampler } = createSampling(variables, 'production', () => 0)
      const tracer = createTracer({ sampler, propagators: readPropagators({}), report: (span) => void told.push(span) })
      for (let i = 0; i < 2_000; i++) tracer.request(forged(i), 'GET', false).end()
      expect(told.length).toBeLessThanOrEqual(SAMPLED_PER_SECOND)
    }
  })

  test('the trace is only linked to, and nothing goes on to jobs, threads and other servers', () => {
    for (const sampled of [true, false]) {
      const { tracer, told } = tracerOf(sampled)
      const span = tracer.request(HEADERS, 'GET', false)
      for (const carried of [span.headers(), span.internalHeaders(), span.child('query', 'client', {}).headers()]) {
        expect(Object.keys(carried)).toEqual(['traceparent'])
        expect(carried['traceparent']).not.toContain(TRACE)
      }
      const job = tracer.job('job tidy', span.internalHeaders(), {})
      expect(Object.keys(job.headers())).toEqual(['traceparent'])
      span.end()
      if (sampled)
        expect(told[0]).toMatchObject({ parentId: null, state: null, link: { traceId: TRACE, spanId: SPAN } })
      else expect(span.traceId).not.toBe(TRACE)
    }
  })

  test.each([
    [null, false],
    [0, false],
    [1, true],
  ])('a listener with %s proxies says so, and logs the trace of its own proxy alone', async (proxies, isTrusted) => {
    const trusted: boolean[] = []
    const logged: object[] = []
    const { tracer } = tracerOf(false)
    const spy: Tracer = {
      ...{ job: tracer.job.bind(tracer), continueTrace: tracer.continueTrace.bind(tracer) },
      request: (headers, name, is) => {
        trusted.push(is)
        return tracer.request(headers, name, is)
      },
    }
    for (const each of [spy, null]) {
      const log = { info: (fields: object) => void logged.push(fields), error: () => undefined }
      const options = { host: '127.0.0.1', port: 0, proxies, bodyLimit: 1_000, log, tracer: each }
      const open = await listen(async () => ({ status: 200, headers: {}, body: '' }), options)
      await fetch(`http://127.0.0.1:${open.port}/`, { headers: HEADERS })
      await open.stop(0, 0)
    }
    expect(trusted).toEqual([isTrusted])
    expect(logged.map((fields) => 'trace' in fields && fields.trace === TRACE)).toEqual([isTrusted, isTrusted])
  })
})
