/** What comes out of the site: of a request, of a partial, or of a piece of Liquid, with what happened on the way. */
import * as z from 'zod'
import type { Render } from '../../../runtime/page/render.ts'
import type { App } from '../../web/app.ts'
import type { SiteLog } from '../../core/contracts/log.ts'
import type { EndedSpan } from '../../core/contracts/tracer.ts'
import { nearest } from '../../../runtime/data/query/suggest.ts'
import { createRequest, type Request } from '../../web/http/message.ts'
import { createTracer } from '../../operate/observe/tracer.ts'
import { PageVisit } from '../../web/site/page-visit.ts'
import { createRender } from '../../web/site/render-page.ts'
import type { SiteHost } from '../../web/site/host.ts'
import { StartError } from '../../core/start-error.ts'
import { type CompiledTests, HARNESS, type SiteTests } from '../testing/site-tests.ts'
import type { TestFailure } from '../testing/model.ts'
import type { Track } from '../testing/track.ts'
import { treeOf } from './trace.ts'

export const renderSchema = z.object({
  request: z
    .object({
      path: z.string(),
      method: z.string(),
      headers: z.record(z.string(), z.string()).optional(),
      form: z.record(z.string(), z.string()).optional(),
      json: z.unknown().optional(),
    })
    .optional(),
  partial: z.string().optional(),
  text: z.string().optional(),
  data: z.record(z.string(), z.unknown()).default({}),
  before: z.string().optional(),
  user: z.string().optional(),
  full: z.boolean(),
})
type Asked = z.infer<typeof renderSchema>

/** Signs of a text unless all of it is wanted. */
const LONGEST = 20_000
/** Entries of the log that are told. */
const MOST_LOGGED = 100
/** What is exported for the one that is rendered. */
const NAMESPACE = 'data'

/** @throws StartError for what cannot be asked, or compiled */
export async function rendered(site: SiteTests, asked: Asked): Promise<object> {
  const { request, partial, text } = asked
  if ([request, partial, text].filter((each) => each !== undefined).length !== 1)
    throw new StartError('Give one of `request`, `partial` and `text`.')
  if (request !== undefined && Object.keys(asked.data).length > 0)
    throw new StartError(
      '`data` goes with a partial or a text: what a page is given stands in its address, its form, or the database (`before`).',
    )
  const compiled = await site.compile(pieceOf(asked))
  const spans: EndedSpan[] = []
  const logged: object[] = []
  const log: SiteLog = {
    write: ({ type, message, file, line }) => void logged.push({ type, message, at: `${file}:${line}` }),
    failed: ({ type, message, stack }) => void logged.push({ type, message, stack }),
  }
  const tracer = createTracer({
    sampler: () => true,
    propagators: NOT_PROPAGATED,
    tell: (span) => void spans.push(span),
  })
  const slow = { query: null, page: null, partial: 0 }
  const track = await compiled.track({ log, observer: { measures: null, tracer, slow } })
  try {
    const work = new Rendering(track, compiled, asked)
    const shown = await track.undone((app) => work.run(app, tracer.request({}, 'GET', false)))
    return {
      ...shown,
      ...(track.jobFailures('').length > 0 && { in_jobs: track.jobFailures('').map(told) }),
      ...(logged.length > 0 && { logged: logged.slice(0, MOST_LOGGED) }),
      trace: treeOf(spans),
    }
  } finally {
    await track.close()
  }
}

const NOT_PROPAGATED = { context: false, baggage: false, unknown: [] }

/** The text that is compiled with the site: the piece itself with its variables, or what runs before the page or the partial. */
function pieceOf({ text, data, before = '' }: Asked): { readonly text: string; readonly format: 'html' | 'txt' } {
  // Never run: for its sake all partials can be called by their names.
  if (text === undefined) return { text: `{% if false %}${HARNESS}{% endif %}${before}`, format: 'html' }
  const odd = Object.keys(data).find((name) => !/^[a-zA-Z_]\w*$/.test(name))
  if (odd !== undefined) throw new StartError(`'${odd}' is no name of a variable.`)
  const assigned = Object.keys(data).map((name) => `{% assign ${name} = context.params.${name} %}`)
  return { text: `${assigned.join('')}${text}`, format: 'html' }
}

class Rendering {
  readonly #track: Track
  readonly #compiled: CompiledTests
  readonly #asked: Asked

  constructor(track: Track, compiled: CompiledTests, asked: Asked) {
    this.#track = track
    this.#compiled = compiled
    this.#asked = asked
  }

  /** In the transaction. */
  async run(app: App, span: NonNullable<Request['span']>): Promise<object> {
    const { request, text, full } = this.#asked
    const cookie = await this.#cookie(app.host())
    const started = performance.now()
    try {
      const shown =
        request !== undefined
          ? await this.#request(app, span, cookie)
          : text !== undefined
            ? await this.#piece(app, span, cookie)
            : await this.#partial(app, span, cookie)
      const body = String(shown['text'] ?? '')
      return {
        ...shown,
        text: full || body.length <= LONGEST ? body : `${body.slice(0, LONGEST)}…`,
        ...(!full && body.length > LONGEST && { length: body.length }),
        ms: Math.round(performance.now() - started),
      }
    } finally {
      span.end()
    }
  }

  async #request(app: App, span: Request['span'], cookie: string): Promise<Shown> {
    const { path, method, headers = {}, form, json } = this.#asked.request ?? { path: '/', method: 'GET' }
    await this.#before(app, cookie)
    const body =
      form !== undefined ? new URLSearchParams(form).toString() : json !== undefined ? JSON.stringify(json) : null
    const type = form !== undefined ? 'application/x-www-form-urlencoded' : 'application/json'
    const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
    const request = createRequest({
      ...requestOf(path, method, cookie, span),
      body: body === null ? null : Buffer.from(body),
      headers: {
        accept: 'text/html,*/*',
        ...(cookie !== '' && { cookie }),
        ...(body !== null && { 'content-type': type }),
        ...lower,
      },
    })
    const reply = await app.handler(request)
    const answered =
      typeof reply.body === 'string'
        ? reply.body
        : reply.body instanceof Uint8Array
          ? Buffer.from(reply.body).toString()
          : ''
    return {
      status: reply.status,
      headers: reply.headers,
      ...(reply.file !== undefined && { page: reply.file }),
      text: answered,
    }
  }

  async #piece(app: App, span: Request['span'], cookie: string): Promise<Shown> {
    return this.#ran(await this.#renderOf(app, span, cookie), async (r, host) =>
      pageOf(host, this.#compiled).render(r, {}),
    )
  }

  async #partial(app: App, span: Request['span'], cookie: string): Promise<Shown> {
    const name = this.#asked.partial ?? ''
    const exported = await this.#before(app, cookie)
    return this.#ran(await this.#renderOf(app, span, cookie), async (r, host) => {
      const { partials } = host.loaded.site
      const unit = Object.hasOwn(partials, name) ? partials[name] : undefined
      if (unit === undefined) throw new StartError(unknownPartial(name, Object.keys(partials)))
      if (unit.shared === null) throw new StartError(`'${name}' has errors: check it first.`)
      return unit.shared(r, { ...this.#asked.data, ...exported })
    })
  }

  async #ran(
    r: { readonly render: Render; readonly host: SiteHost },
    act: (r: Render, host: SiteHost) => Promise<string>,
  ): Promise<Shown> {
    try {
      const text = await act(r.render, r.host)
      const faults = r.render.faults.map((fault) => told(this.#failure(fault)))
      return { text, ...(faults.length > 0 && { errors: faults }) }
    } catch (error) {
      if (error instanceof StartError) throw error
      return { text: '', errors: [told(this.#failure(error))] }
    }
  }

  #failure(error: unknown): TestFailure {
    const failure = this.#track.failureOf(error, '')
    const { place } = failure
    return place?.file === this.#compiled.sent ? { ...failure, place: { file: 'text', line: place.line } } : failure
  }

  /** Runs what is to be there first. @returns what it has exported */
  async #before(app: App, cookie: string): Promise<Record<string, unknown>> {
    if (this.#asked.before === undefined) return {}
    const { render, host } = await this.#renderOf(app, undefined, cookie)
    try {
      await pageOf(host, this.#compiled).render(render, {})
    } catch (error) {
      const { place, message } = this.#failure(error)
      throw new StartError(`\`before\` has failed${place === null ? '' : ` in line ${place.line}`}: ${message}`)
    }
    const exported = render.context['exports'] as Readonly<Record<string, unknown>> | undefined
    return { ...(exported?.[NAMESPACE] as Record<string, unknown> | undefined) }
  }

  async #renderOf(
    app: App,
    span: Request['span'],
    cookie: string,
  ): Promise<{ readonly render: Render; readonly host: SiteHost }> {
    const host = app.host()
    const request = requestOf('/', 'GET', cookie, span)
    const params = this.#asked.data as PageVisit['params']
    const visit = new PageVisit(
      host,
      request,
      params,
      host.sessions === null ? null : await host.sessions(request, params),
    )
    if (span !== undefined && span !== null) visit.shared.span = span
    return { render: createRender(host, visit, null, { format: 'html' }), host }
  }

  /** The cookie of a session of the user who is to be signed in; empty for a visitor. */
  async #cookie(host: SiteHost): Promise<string> {
    const { user } = this.#asked
    if (user === undefined || host.sessions === null) return ''
    const session = await host.sessions(requestOf('/', 'GET', '', null), {})
    await session.signIn(user, null).catch((error: unknown) => {
      throw new StartError(
        `Nobody with the id '${user}' can be signed in: ${error instanceof Error ? error.message : String(error)}.`,
      )
    })
    return (await session.commit()).map((each) => each.split(';')[0]).join('; ')
  }
}

type Shown = Readonly<Record<string, unknown>>

function requestOf(url: string, method: string, cookie: string, span: Request['span']): Request {
  return createRequest({
    ...{ method, url, protocol: 'http', host: 'localhost', ip: '127.0.0.1', body: null, id: 'agent' },
    headers: cookie === '' ? {} : { cookie },
    ...(span && { span }),
  })
}

function pageOf(host: SiteHost, { sent }: CompiledTests): SiteHost['loaded']['site']['pages'][number] {
  const page = host.loaded.site.pages.find(({ file }) => file === sent)
  if (page === undefined) throw new StartError('The text could not be compiled.')
  return page
}

function told({ message, place }: TestFailure): object {
  return { ...(place !== null && place.file !== '' && { at: `${place.file}:${place.line}` }), message }
}

function unknownPartial(name: string, known: readonly string[]): string {
  const near = nearest(name, known)
  return `There is no partial '${name}'${near === null ? '.' : `: did you mean '${near}'?`}`
}
