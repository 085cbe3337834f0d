/** A receiver of OTLP over HTTP, which stores JSON and counts other requests. */
import { createServer } from 'node:http'

export interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string
  readonly name: string
  readonly kind: number
  readonly attributes: Readonly<Record<string, unknown>>
  readonly resource: Readonly<Record<string, unknown>>
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[]
  readonly status: { readonly code?: number; readonly message?: string }
  readonly events: readonly { readonly name: string }[]
}

export interface Receiver {
  readonly url: string
  readonly spans: ReceivedSpan[]
  /** Bodies that were not trace JSON, with their types. */
  readonly others: { readonly type: string; readonly bytes: Buffer }[]
  close(): Promise<void>
}

interface Field {
  readonly key: string
  readonly value: Readonly<Record<string, unknown>>
}

interface Body {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Field[] }
    readonly scopeSpans: readonly { readonly spans: readonly RawSpan[] }[]
  }[]
}

type RawSpan = Omit<ReceivedSpan, 'attributes' | 'resource'> & { readonly attributes?: readonly Field[] }

function recordOf(fields: readonly Field[] = []): Record<string, unknown> {
  return Object.fromEntries(fields.map(({ key, value }) => [key, Object.values(value)[0]]))
}

export async function receiver(): Promise<Receiver> {
  const spans: ReceivedSpan[] = []
  const others: { type: string; bytes: Buffer }[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const bytes = Buffer.concat(chunks)
      const type = request.headers['content-type'] ?? ''
      if (type !== 'application/json' || request.url !== '/v1/traces')
        others.push({ type: `${request.url} ${type}`, bytes })
      else
        for (const { resource, scopeSpans } of (JSON.parse(bytes.toString()) as Body).resourceSpans)
          for (const each of scopeSpans.flatMap((scope) => scope.spans))
            spans.push({
              ...each,
              links: each.links ?? [],
              events: each.events ?? [],
              parentSpanId: each.parentSpanId ?? '',
              attributes: recordOf(each.attributes),
              resource: recordOf(resource.attributes),
            })
      response.writeHead(200, { 'content-type': type })
      response.end(type === 'application/json' ? '{}' : '')
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const place = server.address()
  return {
    url: `http://127.0.0.1:${typeof place === 'object' && place !== null ? place.port : 0}`,
    spans,
    others,
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}
