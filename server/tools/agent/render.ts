/** Renders a request, a partial, or Liquid text against the site, and reports its output, log and trace. */
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
type RenderRequest = z.infer<typeof renderSchema>

/** Maximum length of the output in characters, unless all of it is requested. */
const MAX_OUTPUT = 20_000
/** Maximum number of log entries. */
const MAX_LOG_ENTRIES = 100
/** Namespace of `context.exports` whose values become variables of the partial. */
const NAMESPACE = 'data'

/** Renders in a transaction that is rolled back. @throws StartError for an invalid request, and for errors of the compiler */
export async function renderForAgent(site: SiteTests, input: RenderRequest): Promise<object> {
  const { request, partial, text } = input
  if ([request, partial, text].filter((each) => each !== undefined).length !== 1)
    throw new StartError('Give one of `request`, `partial` and `text`.')
  if (request !== undefined && Object.keys(input.data).length > 0)
    throw new StartError(
      '`data` works only with `partial` and `text`: give a page its data in the path, the form, or the database (`before`).',
    )
  const compiledTests = await site.compile(textToCompile(input))
  const spans: EndedSpan[] = []
  const logged: object[] = []
  const log: SiteLog = {
    write: ({ type, message, file, line }) => void logged.push({ type, message, at: `${file}:${line}` }),
    failed: ({ type, message, stack }) => void logged.push({ type, message, stack }),
  }
  const tracer = createTracer({
    sampler: () => true,
    propagators: NOT_PROPAGATED,
    report: (span) => void spans.push(span),
  })
  const slow = { query: null, page: null, partial: 0 }
  const track = await compiledTests.track({ log, observer: { measures: null, tracer, slow } })
  try {
    const rendering = new Rendering(track, compiledTests, input)
    const output = await track.runAndRollBack((app) => rendering.run(app, tracer.request({}, 'GET', false)))
    return {
      ...output,
      ...(track.jobFailures('').length > 0 && { in_jobs: track.jobFailures('').map(formatFailure) }),
      ...(logged.length > 0 && { logged: logged.slice(0, MAX_LOG_ENTRIES) }),
      trace: treeOf(spans),
    }
  } finally {
    await track.close()
  }
}

const NOT_PROPAGATED = { context: false, baggage: false, unknown: [] }

/** Returns the text to compile with the site: the text itself with its variables, or the text that runs before the page or partial. */
function textToCompile({ text, data, before = '' }: RenderRequest): {
  readonly text: string
  readonly format: 'html' | 'txt'
} {
  // The harness never runs. It makes the compiler include all partials, so that they can be called by name.
  if (text === undefined) return { text: `{% if false %}${HARNESS}{% endif %}${before}`, format: 'html' }
  const invalid = Object.keys(data).find((name) => !/^[a-zA-Z_]\w*$/.test(name))
  if (invalid !== undefined) throw new StartError(`'${invalid}' is not a valid variable name.`)
  const assigned = Object.keys(data).map((name) => `{% assign ${name} = context.params.${name} %}`)
  return { text: `${assigned.join('')}${text}`, format: 'html' }
}

class Rendering {
  readonly #track: Track
  readonly #compiled: CompiledTests
  readonly #input: RenderRequest

  constructor(track: Track, compiledTests: CompiledTests, input: RenderRequest) {
    this.#track = track
    this.#compiled = compiledTests
    this.#input = input
  }

  /** Renders the request, the partial or the text. Called in the transaction. */
  async run(app: App, span: NonNullable<Request['span']>): Promise<object> {
    const { request, text, full } = this.#input
    const cookie = await this.#sessionCookie(app.host())
    const startedAt = performance.now()
    try {
      const output =
        request !== undefined
          ? await this.#sendRequest(app, span, cookie)
          : text !== undefined
            ? await this.#renderText(app, span, cookie)
            : await this.#renderPartial(app, span, cookie)
      const body = String(output['text'] ?? '')
      return {
        ...output,
        text: full || body.length <= MAX_OUTPUT ? body : `${body.slice(0, MAX_OUTPUT)}…`,
        ...(!full && body.length > MAX_OUTPUT && { length: body.length }),
        ms: Math.round(performance.now() - startedAt),
      }
    } finally {
      span.end()
    }
  }

  async #sendRequest(app: App, span: Request['span'], cookie: string): Promise<Output> {
    const { path, method, headers = {}, form, json } = this.#input.request ?? { path: '/', method: 'GET' }
    await this.#runBefore(app, cookie)
    const body =
      form !== undefined ? new URLSearchParams(form).toString() : json !== undefined ? JSON.stringify(json) : null
    const type = form !== undefined ? 'application/x-www-form-urlencoded' : 'application/json'
    const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
    const request = createRequest({
      ...localRequest(path, method, cookie, span),
      body: body === null ? null : Buffer.from(body),
      headers: {
        accept: 'text/html,*/*',
        ...(cookie !== '' && { cookie }),
        ...(body !== null && { 'content-type': type }),
        ...lower,
      },
    })
    const reply = await app.handler(request)
    const responseText =
      typeof reply.body === 'string'
        ? reply.body
        : reply.body instanceof Uint8Array
          ? Buffer.from(reply.body).toString()
          : ''
    return {
      status: reply.status,
      headers: reply.headers,
      ...(reply.template !== undefined && { page: reply.template }),
      text: responseText,
    }
  }

  async #renderText(app: App, span: Request['span'], cookie: string): Promise<Output> {
    return this.#runRender(await this.#createRender(app, span, cookie), async (r, host) =>
      sentPage(host, this.#compiled).render(r, {}),
    )
  }

  async #renderPartial(app: App, span: Request['span'], cookie: string): Promise<Output> {
    const name = this.#input.partial ?? ''
    const exported = await this.#runBefore(app, cookie)
    return this.#runRender(await this.#createRender(app, span, cookie), async (r, host) => {
      const { partials } = host.loadedSite.site
      const unit = Object.hasOwn(partials, name) ? partials[name] : undefined
      if (unit === undefined) throw new StartError(unknownPartial(name, Object.keys(partials)))
      if (unit.shared === null) throw new StartError(`'${name}' has errors: fix them first.`)
      return unit.shared(r, { ...this.#input.data, ...exported })
    })
  }

  async #runRender(
    r: { readonly render: Render; readonly host: SiteHost },
    act: (r: Render, host: SiteHost) => Promise<string>,
  ): Promise<Output> {
    try {
      const text = await act(r.render, r.host)
      const faults = r.render.faults.map((fault) => formatFailure(this.#failure(fault)))
      return { text, ...(faults.length > 0 && { errors: faults }) }
    } catch (error) {
      if (error instanceof StartError) throw error
      return { text: '', errors: [formatFailure(this.#failure(error))] }
    }
  }

  #failure(error: unknown): TestFailure {
    const failure = this.#track.failureOf(error, '')
    const { place } = failure
    return place?.file === this.#compiled.sent ? { ...failure, place: { file: 'text', line: place.line } } : failure
  }

  /** Runs the text of `before`. @returns the values that it has exported */
  async #runBefore(app: App, cookie: string): Promise<Readonly<Record<string, unknown>>> {
    if (this.#input.before === undefined) return {}
    const { render, host } = await this.#createRender(app, undefined, cookie)
    try {
      await sentPage(host, this.#compiled).render(render, {})
    } catch (error) {
      const { place, message } = this.#failure(error)
      throw new StartError(`\`before\` failed${place === null ? '' : ` in line ${place.line}`}: ${message}`)
    }
    const exported = render.context['exports']
    return fieldsOf(fieldsOf(exported)[NAMESPACE])
  }

  async #createRender(
    app: App,
    span: Request['span'],
    cookie: string,
  ): Promise<{ readonly render: Render; readonly host: SiteHost }> {
    const host = app.host()
    const request = localRequest('/', 'GET', cookie, span)
    // The values come from JSON, like the parameters of a request.
    const params = this.#input.data as PageVisit['params']
    const visit = new PageVisit(
      host,
      request,
      params,
      host.sessions === null ? null : await host.sessions(request, params),
    )
    if (span !== undefined && span !== null) visit.sharedState.span = span
    return { render: createRender(host, visit, null, { format: 'html' }), host }
  }

  /** Returns the cookie of a session of the requested user; empty for a visitor. */
  async #sessionCookie(host: SiteHost): Promise<string> {
    const { user } = this.#input
    if (user === undefined || host.sessions === null) return ''
    const session = await host.sessions(localRequest('/', 'GET', '', null), {})
    await session.signIn(user, null).catch((error: unknown) => {
      throw new StartError(
        `The user with the id '${user}' cannot be signed in: ${error instanceof Error ? error.message : String(error)}.`,
      )
    })
    return (await session.commit()).map((each) => each.split(';')[0]).join('; ')
  }
}

type Output = Readonly<Record<string, unknown>>

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function localRequest(url: string, method: string, cookie: string, span: Request['span']): Request {
  return createRequest({
    ...{ method, url, protocol: 'http', host: 'localhost', ip: '127.0.0.1', body: null, id: 'agent' },
    headers: cookie === '' ? {} : { cookie },
    ...(span && { span }),
  })
}

function sentPage(host: SiteHost, { sent }: CompiledTests): SiteHost['loadedSite']['site']['pages'][number] {
  const page = host.loadedSite.site.pages.find(({ file }) => file === sent)
  if (page === undefined) throw new StartError('The text could not be compiled.')
  return page
}

function formatFailure({ message, place }: TestFailure): object {
  return { ...(place !== null && place.file !== '' && { at: `${place.file}:${place.line}` }), message }
}

function unknownPartial(name: string, knownNames: readonly string[]): string {
  const similarName = nearest(name, knownNames)
  return `There is no partial '${name}'${similarName === null ? '.' : `: did you mean '${similarName}'?`}`
}
