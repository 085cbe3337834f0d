/** Runs a file of requests against the site, in the transaction of the test, as one visitor with cookies. */
import { TOKEN_COOKIE } from '../../web/accounts/cookies.ts'
import { createRequest, type Handler, type Reply } from '../../web/http/message.ts'
import type { RequestStep } from './request-file.ts'
import type { TestFailure } from './model.ts'
import type { TestSocket } from './sockets.ts'
import { elementsOf, formOf, hrefOf, textIn } from './selector.ts'

/** Maximum number of redirects to follow. */
const MAX_REDIRECTS = 10
/** Maximum length of a body in a failure, in characters. */
const MAX_SHOWN_LENGTH = 600

export interface RequestHost {
  readonly handler: Handler
  readonly file: string
  /** Calls a partial like the tag `function`. */
  call(partial: string, values: Readonly<Record<string, unknown>>): Promise<unknown>
  /** Opens a WebSocket; see `TestSocket.open`. */
  connect(cookie: string, token: string): ReturnType<typeof TestSocket.open>
}

export class RequestRun {
  readonly #host: RequestHost
  readonly #cookies = new Map<string, string>()
  readonly #values: Record<string, unknown> = {}
  #socket: TestSocket | null = null
  #page: { readonly url: string; readonly text: string } | null = null
  readonly failures: TestFailure[] = []
  assertions = 0

  constructor(host: RequestHost) {
    this.#host = host
  }

  async step(step: RequestStep): Promise<void> {
    if (step.run !== undefined) {
      const value = await this.#host.call(step.run, this.#fillFields(step.with ?? {}))
      if (step.as !== undefined) this.#values[step.as] = value
      return
    }
    if (await this.#socketStep(step)) return
    const sent = this.#createRequest(step)
    if (sent === null) return
    let url = sent.url
    let reply = await this.#send(sent)
    for (let remaining = MAX_REDIRECTS; step.follow && remaining > 0 && isRedirect(reply); remaining--) {
      url = new URL(reply.headers['location'] ?? '/', `http://localhost${url}`).href.replace(/^https?:\/\/[^/]+/, '')
      reply = await this.#send({ method: 'GET', url, headers: {}, body: null })
    }
    const text = bodyOf(reply)
    this.#page = { url, text }
    this.#check(step, reply, text)
  }

  /** Closes the WebSocket of the visitor, if there is one. */
  async close(): Promise<void> {
    await this.#socket?.close()
  }

  /** Runs a step of the visitor's WebSocket. Returns false for all other steps. */
  async #socketStep(step: RequestStep): Promise<boolean> {
    const { subscribe, send, receive, unsubscribe } = step
    if (subscribe !== undefined) await this.#subscribe(step, subscribe)
    else if (send === undefined && receive === undefined && unsubscribe === undefined) return false
    else if (this.#socket === null) this.#fail(step, 'subscribe', 'no step before has subscribed to a channel', '')
    else if (send !== undefined) await this.#socket.message(this.#fillFields(send))
    else if (receive !== undefined) await this.#receive(step, this.#socket, receive)
    else await this.#socket.unsubscribe()
    return true
  }

  async #subscribe(step: RequestStep, fields: Readonly<Record<string, unknown>>): Promise<void> {
    if (this.#socket === null) {
      const opened = await this.#host.connect(this.#cookieHeader(), this.#cookies.get(TOKEN_COOKIE) ?? '')
      if ('refusal' in opened) {
        const advice = 'request a page that prints `context.authenticity_token` before'
        return this.#fail(step, 'subscribe', `the site refused the connection (${opened.refusal}): ${advice}`, '')
      }
      this.#socket = opened
    }
    const code = await this.#socket.subscribe(this.#fillFields(fields))
    this.#equal(step, 'subscribe', step.refused ?? 'admitted', code ?? 'admitted', '')
  }

  async #receive(step: RequestStep, socket: TestSocket, wanted: Readonly<Record<string, unknown>> | false) {
    const message = await socket.received()
    this.assertions++
    const expected = wanted === false ? undefined : this.#fillFields(wanted)
    const got = isObject(message) && expected !== undefined ? pick(message, Object.keys(expected)) : message
    const [asText, gotText] = [expected, got].map((value) => (value === undefined ? 'nothing' : JSON.stringify(value)))
    if (asText === gotText) return
    const values = { expected: asText ?? '', got: gotText ?? '' }
    this.failures.push(this.#failure(step, 'receive', `expected ${asText}, got ${gotText}`, values))
  }

  #cookieHeader(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  #createRequest(step: RequestStep): Sent | null {
    const headers = this.#fillTexts(step.headers ?? {})
    const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
    const fields = this.#fillTexts(step.fields ?? {})
    if (step.submit !== undefined) return this.#submitForm(step, step.submit, fields, lower)
    if (step.click !== undefined) return this.#followLink(step, step.click, lower)
    const { method = 'GET', url = '/' } = step.request ?? {}
    const path = this.#fillText(url)
    if (step.json !== undefined)
      return {
        ...{ method, url: path, headers: { 'content-type': 'application/json', ...lower } },
        body: Buffer.from(JSON.stringify(this.#fill(step.json))),
      }
    if (step.fields === undefined) return { method, url: path, headers: lower, body: null }
    return { method, url: path, headers: { 'content-type': FORM, ...lower }, body: encodeForm(Object.entries(fields)) }
  }

  #submitForm(
    step: RequestStep,
    selector: string,
    fields: Record<string, string>,
    headers: Sent['headers'],
  ): Sent | null {
    const form = this.#page === null ? null : formOf(this.#page.text, selector)
    if (form === null) {
      this.#fail(step, 'submit', `the last page has no form \`${selector}\``, this.#page?.text ?? '')
      return null
    }
    const known = form.fields.filter(([name]) => !Object.hasOwn(fields, name))
    const all = [...known, ...Object.entries(fields)]
    const at = new URL(
      form.action === '' ? (this.#page?.url ?? '/') : form.action,
      `http://localhost${this.#page?.url}`,
    )
    const url = `${at.pathname}${at.search}`
    if (form.method === 'GET') return { method: 'GET', url: `${at.pathname}?${encodeForm(all)}`, headers, body: null }
    return { method: 'POST', url, headers: { 'content-type': FORM, ...headers }, body: encodeForm(all) }
  }

  #followLink(step: RequestStep, selector: string, headers: Sent['headers']): Sent | null {
    const href = this.#page === null ? null : hrefOf(this.#page.text, selector)
    if (href === null) {
      this.#fail(step, 'click', `the last page has no link \`${selector}\``, this.#page?.text ?? '')
      return null
    }
    const { pathname, search } = new URL(href, `http://localhost${this.#page?.url}`)
    return { method: 'GET', url: `${pathname}${search}`, headers, body: null }
  }

  async #send({ method, url, headers, body }: Sent): Promise<Reply> {
    const cookie = this.#cookieHeader()
    const request = createRequest({
      ...{ method, url, protocol: 'http', host: 'localhost', ip: '127.0.0.1', body, id: 'test' },
      headers: { accept: 'text/html,*/*', ...(cookie !== '' && { cookie }), ...headers },
    })
    const reply = await this.#host.handler(request)
    for (const each of reply.cookies ?? []) this.#storeCookie(each)
    return reply
  }

  #storeCookie(cookie: string): void {
    const [pair = '', ...rest] = cookie.split(';')
    const at = pair.indexOf('=')
    const isExpired = rest.some((part) => /^\s*max-age\s*=\s*0\s*$/i.test(part))
    if (isExpired) this.#cookies.delete(pair.slice(0, at))
    else this.#cookies.set(pair.slice(0, at).trim(), pair.slice(at + 1))
  }

  #check(step: RequestStep, reply: Reply, text: string): void {
    const headers: Readonly<Record<string, string | undefined>> = reply.headers
    const wantedStatuses = step.status ?? [reply.status < 400 ? reply.status : 200]
    const wantedStatus = wantedStatuses.includes(reply.status) ? String(reply.status) : wantedStatuses.join(' or ')
    this.#equal(step, 'status', wantedStatus, String(reply.status), text)
    if (step.location !== undefined)
      this.#equal(step, 'location', this.#fillText(step.location), headers['location'] ?? '', text)
    if (step.type !== undefined)
      this.#equal(step, 'type', step.type, (headers['content-type'] ?? '').split(';')[0]?.trim() ?? '', text)
    for (const wantedName of step.text.map((each) => this.#fillText(each))) {
      this.assertions++
      if (!text.includes(wantedName)) this.#fail(step, 'text', `the response does not contain \`${wantedName}\``, text)
    }
    for (const unwanted of step.without.map((each) => this.#fillText(each))) {
      this.assertions++
      if (text.includes(unwanted)) this.#fail(step, 'without', `the response contains \`${unwanted}\``, text)
    }
    for (const [selector, wanted] of step.selector) this.#checkSelector(step, this.#fillText(selector), wanted, text)
  }

  #checkSelector(step: RequestStep, selector: string, wanted: string | number | null, text: string): void {
    this.assertions++
    const found = elementsOf(text, selector)
    if (typeof wanted === 'number') {
      if (found.length !== wanted) this.#fail(step, selector, `expected ${wanted} elements, got ${found.length}`, text)
      return
    }
    if (found.length === 0) return this.#fail(step, selector, 'no element matches', text)
    if (wanted === null) return
    const expected = this.#fillText(wanted)
    const all = found.map(textIn)
    if (!all.some((each) => each.includes(expected)))
      this.failures.push(this.#failure(step, selector, 'the text differs', { expected, got: all.join('\n') }))
  }

  #equal(step: RequestStep, subject: string, expected: string, got: string, text: string): void {
    this.assertions++
    if (expected === got) return
    const failure = this.#failure(step, subject, `expected ${expected}, got ${got}`, { expected, got })
    const isFault = subject === 'status' && got.startsWith('5')
    this.failures.push(isFault ? { ...failure, message: `${failure.message}\n${summarizePage(text)}` } : failure)
  }

  #fail(step: RequestStep, subject: string, message: string, text: string): void {
    this.failures.push(
      this.#failure(step, subject, text === '' ? message : `${message}:\n${summarizePage(text)}`, null),
    )
  }

  #failure(
    { line, request }: RequestStep,
    subject: string,
    message: string,
    values: TestFailure['values'],
  ): TestFailure {
    const about = request === null ? subject : `${request.method} ${request.url}: ${subject}`
    return { subject: about, message, place: { file: this.#host.file, line }, values }
  }

  /** Fills in the results of partials for `{name.part}`. */
  #fillText(text: string): string {
    return text.replace(/\{([a-zA-Z_]\w*(?:\.\w+)*)\}/g, (match, path: string) => {
      const value = path.split('.').reduce<unknown>((at, key) => partOf(at, key), this.#values)
      return value === undefined || value === null ? match : String(value)
    })
  }

  #fillTexts(texts: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, this.#fillText(text)]))
  }

  #fillFields(fields: object): Record<string, unknown> {
    return Object.fromEntries(Object.entries(fields).map(([key, each]) => [key, this.#fill(each)]))
  }

  #fill(value: unknown): unknown {
    if (typeof value === 'string') return this.#fillText(value)
    if (Array.isArray(value)) return value.map((each) => this.#fill(each))
    return typeof value === 'object' && value !== null ? this.#fillFields(value) : value
  }
}

interface Sent {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | null
}

const FORM = 'application/x-www-form-urlencoded'

function encodeForm(fields: readonly (readonly [string, string])[]): Buffer {
  return Buffer.from(new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value])).toString())
}

function partOf(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  const part: unknown = Reflect.get(value, key)
  return part
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the fields with these names, in this order. */
function pick(value: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, Object.hasOwn(value, name) ? value[name] : undefined]))
}

function isRedirect({ status, headers }: Reply): boolean {
  return status >= 300 && status < 400 && headers['location'] !== undefined
}

function bodyOf({ body }: Reply): string {
  if (typeof body === 'string') return body
  return body instanceof Uint8Array ? Buffer.from(body).toString('utf8') : ''
}

/** Returns the visible text of a page, shortened. */
function summarizePage(text: string): string {
  const lines = text
    .replace(/<(script|style)\b[^]*?<\/\1>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '')
  const all = lines.join('\n')
  return all.length > MAX_SHOWN_LENGTH ? `${all.slice(0, MAX_SHOWN_LENGTH)}…` : all
}
