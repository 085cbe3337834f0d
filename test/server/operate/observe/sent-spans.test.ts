/** Tests how spans are sent from a process to the receiver: in batches, with limits, and with a count of dropped spans. */
import { createServer, type Server } from 'node:http'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { SpanBatch } from '../../../../server/operate/cluster/messages.ts'
import type { EndedSpan } from '../../../../server/core/contracts/tracer.ts'
import { createSentSpans, type SentSpans } from '../../../../server/operate/observe/sent-spans.ts'
import { BATCH_SIZE, createSpanBatches, MAX_WAITING } from '../../../../server/operate/observe/span-batches.ts'
import { receiver } from './receiver.ts'

vi.setConfig({ testTimeout: 120_000 })

function span(n: number): EndedSpan {
  const id = n.toString(16).padStart(16, '0')
  const startTime = Date.now()
  return {
    traceId: `a${id}`.padEnd(32, '0'),
    spanId: id,
    parentId: null,
    state: null,
    link: null,
    name: `span ${n}`,
    kind: 'internal',
    values: { n },
    started: startTime,
    ended: startTime + 1,
    error: null,
  }
}

function spans(count: number, from = 1): EndedSpan[] {
  return Array.from({ length: count }, (_, n) => span(from + n))
}

describe('a process', () => {
  test('hands over whole batches at once, what is less after a while, and waits for each to be taken', async () => {
    const sent: SpanBatch[] = []
    let taken: () => void = () => undefined
    const batches = createSpanBatches({
      release: 'a1',
      interval: 1,
      send(batch, done) {
        sent.push(batch)
        taken = done
      },
    })
    for (const each of spans(BATCH_SIZE + 1)) batches.add(each)
    expect(sent.map((batch) => batch.spans.length)).toEqual([BATCH_SIZE])
    taken()
    await expect.poll(() => sent.length).toBe(2)
    expect(sent[1]).toEqual({
      spans: [expect.objectContaining({ name: `span ${BATCH_SIZE + 1}` })],
      release: 'a1',
      dropped: 0,
    })
    const closed = batches.close()
    taken()
    await closed
    expect(sent).toHaveLength(2)
  })

  test('whose supervisor takes nothing keeps so many, and counts the rest', async () => {
    const sent: SpanBatch[] = []
    let taken: () => void = () => undefined
    const batches = createSpanBatches({
      release: null,
      send(batch, done) {
        sent.push(batch)
        taken = done
      },
    })
    for (const each of spans(100_000)) batches.add(each)
    expect(sent).toHaveLength(1)
    const closed = batches.close()
    for (let at = 1; at <= MAX_WAITING / BATCH_SIZE; at++) taken()
    taken()
    await closed
    expect(sent.reduce((all, batch) => all + batch.spans.length, 0)).toBe(MAX_WAITING + BATCH_SIZE)
    expect(sent.reduce((all, { dropped }) => all + dropped, 0)).toBe(100_000 - MAX_WAITING - BATCH_SIZE)
  })
})

describe('the process that supervises', () => {
  let before: NodeJS.ProcessEnv = {}
  afterEach(() => {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name]
  })

  /** Starts sending to a receiver. `said` contains the lines of the log. */
  async function sending(
    endpoint: string,
    variables: Record<string, string>,
  ): Promise<{ sent: SentSpans; said: { fields: Record<string, unknown>; message: string }[] }> {
    before = { ...process.env }
    Object.assign(process.env, {
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      ...variables,
    })
    const said: { fields: Record<string, unknown>; message: string }[] = []
    const sent = createSentSpans()
    const log = { warn: (fields: object, message: string) => void said.push({ fields: { ...fields }, message }) }
    await sent.begin({ service: 'shop', version: '1.0.0', release: null, environment: 'production', log })
    return { sent, said }
  }

  test('sends 10,000 spans a second, with each release a resource of its own', async () => {
    const got = await receiver()
    const { sent, said } = await sending(got.url, {})
    // Two releases whose batches alternate.
    for (let at = 0; at < 40; at++) {
      sent.add({
        spans: spans(BATCH_SIZE, 1 + at * BATCH_SIZE),
        release: at % 2 === 0 ? 'first' : 'second',
        dropped: 0,
      })
      await new Promise((done) => setImmediate(done))
    }
    await sent.close()
    expect(got.spans).toHaveLength(40 * BATCH_SIZE)
    expect(new Set(got.spans.map(({ spanId }) => spanId)).size).toBe(40 * BATCH_SIZE)
    const [first] = got.spans
    expect(first).toMatchObject({ attributes: { n: 1 }, resource: { 'service.version': 'first' } })
    expect(new Set(got.spans.map(({ resource }) => resource['service.version']))).toEqual(new Set(['first', 'second']))
    expect(said).toEqual([])
    await got.close()
  })

  test('keeps a bounded number while the receiver does not answer, says so once, and goes on when it does', async () => {
    // Receives requests, and responds only when the test says so.
    const open: (() => void)[] = []
    let answers = false
    const slow: Server = createServer((request, response) => {
      request.resume()
      const answer = (): void => void response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
      if (answers) answer()
      else open.push(answer)
    })
    await new Promise<void>((done) => slow.listen(0, '127.0.0.1', done))
    const place = slow.address()
    const port = typeof place === 'object' && place !== null ? place.port : 0
    const { sent, said } = await sending(`http://127.0.0.1:${port}`, {
      OTEL_BSP_MAX_QUEUE_SIZE: '1000',
      OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '100',
      OTEL_EXPORTER_OTLP_TIMEOUT: '60000',
    })
    sent.add({ spans: spans(100), release: null, dropped: 0 })
    await expect.poll(() => open.length).toBe(1)
    for (let at = 0; at < 200; at++) sent.add({ spans: spans(500), release: null, dropped: 0 })
    sent.add({ spans: [], release: null, dropped: 7 })
    expect(said).toEqual([
      {
        fields: { reason: 'spans arrived faster than they could be sent', spans: expect.any(Number) },
        message: 'traces could not be sent',
      },
    ])
    answers = true
    for (const answer of open) answer()
    await sent.close()
    const lost = said.reduce((all, { fields }) => all + Number(fields['spans']), 0)
    expect(lost).toBe(200 * 500 - 1000 + 7)
    slow.close()
    slow.closeAllConnections()
  })

  test('ends soon where nobody receives, and says how many were lost', async () => {
    const { sent, said } = await sending('http://127.0.0.1:1', {
      OTEL_EXPORTER_OTLP_TIMEOUT: '300',
      OTEL_BSP_SCHEDULE_DELAY: '600000',
    })
    sent.add({ spans: spans(300), release: null, dropped: 0 })
    await sent.close()
    expect(said.reduce((all, { fields }) => all + Number(fields['spans']), 0)).toBe(300)
  })

  test('says what the variables name that is not known here', async () => {
    const got = await receiver()
    const { sent, said } = await sending(got.url, {
      OTEL_TRACES_SAMPLER: 'some',
      OTEL_PROPAGATORS: 'tracecontext,b3',
      OTEL_TRACES_EXPORTER: 'zipkin',
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'pigeon',
    })
    const text = said.map(({ message }) => message).join('\n')
    for (const name of [
      'OTEL_TRACES_SAMPLER',
      'OTEL_PROPAGATORS',
      'OTEL_TRACES_EXPORTER',
      "the protocol 'pigeon' is not supported: traces are sent by",
    ])
      expect(text).toContain(name)
    await sent.close()
    await got.close()
  })
})
