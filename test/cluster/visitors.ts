/** The visitors: a program on a separate host that requests pages and sends forms at a constant rate, and checks the responses. */
import { request } from 'node:http'
import postgres from 'postgres'
import type { FromVisitors, Kind, Rows, ToVisitors, Visit } from './messages.ts'
import { WHOLE } from './site.ts'

/** Milliseconds after which a visitor stops waiting. */
const PATIENCE = 20_000
/** The visits, in order. A visitor that writes first requests the page with the form. */
const TURNS: readonly Kind[] = [
  ...(['page', 'copy', 'form', 'page', 'copy', 'cached', 'page', 'job'] as const),
  ...(['copy', 'page', 'upload', 'copy', 'page', 'cached', 'copy', 'form'] as const),
]
const PATHS: Readonly<Record<Exclude<Kind, 'form page'>, string>> = {
  page: '/',
  copy: '/copied',
  cached: '/kept',
  form: '/write',
  upload: '/write',
  job: '/order',
}

let timer: NodeJS.Timeout | undefined
let turn = 0
const underWay = new Set<Promise<void>>()
let visits: Visit[] = []

function tell(message: FromVisitors): void {
  process.send?.(message)
}

setInterval(() => {
  if (visits.length > 0) tell({ type: 'visits', visits })
  visits = []
}, 100).unref()

process.on('disconnect', () => process.exit(0))
process.on('message', (message: ToVisitors) => {
  if (message.type === 'count')
    void count(message.database).then(
      (rows) => tell({ type: 'rows', id: message.id, rows }),
      () => tell({ type: 'rows', id: message.id, rows: null }),
    )
  else if (message.type === 'stop') void stop()
  else go(message.url, message.rate)
})
tell({ type: 'ready' })

function go(url: string, rate: number): void {
  // A visit that writes sends two requests.
  const writing = TURNS.filter((kind) => kind === 'form' || kind === 'upload' || kind === 'job').length
  const every = (1000 / rate) * (1 + writing / TURNS.length)
  const started = performance.now()
  let sent = 0
  timer = setInterval(() => {
    // If the timer fires late, the missing visits are sent immediately.
    for (; sent * every < performance.now() - started; sent++) {
      const visit = comeIn(url, TURNS[turn++ % TURNS.length] as (typeof TURNS)[number]).finally(() =>
        underWay.delete(visit),
      )
      underWay.add(visit)
    }
  }, every / 2)
}

async function stop(): Promise<void> {
  clearInterval(timer)
  await Promise.all(underWay)
  if (visits.length > 0) tell({ type: 'visits', visits })
  visits = []
  tell({ type: 'stopped' })
}

async function comeIn(url: string, kind: Kind): Promise<void> {
  if (kind === 'form page') return
  if (kind === 'page' || kind === 'copy' || kind === 'cached') return void (await read(url + PATHS[kind], kind))
  const page = await read(url + PATHS[kind], 'form page')
  if (page !== null) await send(url, kind, page)
}

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly text: string
}

async function read(url: string, kind: Kind): Promise<Answer | null> {
  const at = Date.now()
  const answer = await ask(url, {}, null)
  const whole = typeof answer !== 'string' && answer.status === 200 && answer.text.includes(WHOLE)
  record(kind, at, answer, whole, null)
  return whole ? answer : null
}

async function send(url: string, kind: 'form' | 'upload' | 'job', page: Answer): Promise<void> {
  const key = `${kind}-${process.pid}-${turn}-${Date.now()}`
  const fields = [...page.text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(
    ([, name = '', value = '']) => [name, value] as const,
  )
  const body = new FormData()
  for (const [name, value] of fields) body.append(name, value)
  body.append('form[properties][key]', key)
  if (kind !== 'job') body.append('form[properties][text]', `written as ${key}`)
  if (kind === 'upload') body.append('form[properties][photo]', new Blob([`the file of ${key}\n`]), `${key}.txt`)
  const sent = new Response(body)
  const cookies = [page.headers['set-cookie'] ?? []].flat().map((each) => each.split(';')[0])
  const headers = { 'content-type': sent.headers.get('content-type') ?? '', cookie: cookies.join('; ') }
  const bytes = Buffer.from(await sent.arrayBuffer())
  const at = Date.now()
  const answer = await ask(`${url}/api/customizations`, headers, bytes)
  const taken =
    typeof answer !== 'string' && answer.status >= 300 && answer.status < 400 && answer.headers.location === '/sent'
  record(kind, at, answer, taken, key)
}

/** Sends a request on a new connection, like a new visitor. Returns the response, or the reason why there is none. */
function ask(url: string, headers: Readonly<Record<string, string>>, body: Buffer | null): Promise<Answer | string> {
  return new Promise((done) => {
    const options = { method: body === null ? 'GET' : 'POST', headers, agent: false, timeout: PATIENCE }
    const asked = request(url, options, (reply) => {
      let text = ''
      reply.setEncoding('utf8')
      reply.on('data', (part: string) => {
        text += part
      })
      reply.once('end', () => done({ status: reply.statusCode ?? 0, headers: reply.headers, text }))
      reply.once('error', (error) => done(error.message))
    })
    asked.once('timeout', () => asked.destroy(new Error('no answer in time')))
    asked.once('error', (error) => done(error.message))
    asked.end(body ?? undefined)
  })
}

function record(kind: Kind, at: number, answer: Answer | string, fine: boolean, key: string | null): void {
  const [status, text] = typeof answer === 'string' ? [null, answer] : [answer.status, answer.text]
  const after = typeof answer === 'string' ? undefined : answer.headers['retry-after']
  visits.push({
    kind,
    at,
    took: Date.now() - at,
    status,
    problem: fine
      ? null
      : `${status ?? 'no answer'}: ${text
          .replaceAll(/<[^>]*>|\s+/g, ' ')
          .trim()
          .slice(0, 200)}`,
    retryAfter: typeof after === 'string' ? Number(after) : null,
    key,
    version: /version (\w+)/.exec(text)?.[1] ?? null,
  })
}

async function count(database: string): Promise<Rows> {
  const sql = postgres(database, { max: 1, fetch_types: false, connect_timeout: 5, onnotice: () => undefined })
  try {
    const rows = await sql<{ of: string; key: string; path: string | null }[]>`
      select t.name as of, r.properties->>'key' as key, r.properties->'photo'->>'path' as path
      from ingot.records r join ingot.tables t on t.id = r.table_id`
    const [queue] = await sql<{ waiting: number }[]>`select count(*)::int as waiting from graphile_worker._private_jobs`
    const of = (name: string): typeof rows => rows.filter((row) => row.of === name) as typeof rows
    return {
      notes: of('note').map(({ key, path }) => [key, path] as const),
      tasks: of('task').map(({ key }) => key),
      done: of('done').map(({ key }) => key),
      waiting: queue?.waiting ?? 0,
    }
  } finally {
    await sql.end({ timeout: 0 })
  }
}
