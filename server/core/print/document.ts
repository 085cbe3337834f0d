/**
 * Prints one document in a separate browser context. Chromium has no network. This file intercepts every request of the document, and
 * answers or refuses it.
 */
import type { Protocol } from 'devtools-protocol'
import type { Chromium } from './chromium.ts'
import {
  type AnswerResource,
  MAX_PDF,
  type PrintedDocument,
  PrintFailure,
  type Resource,
  type ResourceRequest,
} from './model.ts'
import type { Session } from './protocol.ts'

/** Requests that a document may send, and how many of them are answered at once. The others wait. */
const MAX_REQUESTS = 1_000
const MAX_AT_ONCE = 8
/** Bytes of all resources of a document. */
const MAX_RESOURCES = 200_000_000
/** Maximum milliseconds to wait for requests that scripts send after the document has loaded. */
const SETTLE_TIME = 3_000
/** Milliseconds between two checks whether requests are open. */
const SETTLE_INTERVAL = 10
/** Milliseconds after the end of a script's request in which the script may send the next one. */
const NEXT_REQUEST_TIME = 50
/** Bytes of the PDF that are read at once. */
const CHUNK = 1_000_000
/** Inches. */
const A4 = { paperWidth: 8.27, paperHeight: 11.69 } as const
/** Inches: one centimetre. */
const MARGIN = 0.4

/** Waits for fonts, and for two frames, in which scripts draw what they have loaded. */
const SHOWN = `document.fonts.ready.then(() => new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown))))`

/** Types of requests that scripts send and read. */
const SCRIPTED: ReadonlySet<Protocol.Network.ResourceType> = new Set(['XHR', 'Fetch'])

/** Headers of a resource that do not describe what the document gets. */
const DROPPED_HEADERS = /^(?:connection|content-encoding|content-length|set-cookie|transfer-encoding)$/

/**
 * Prints a document. The caller limits its time and memory, and kills Chromium when it fails.
 * @returns the PDF
 * @throws PrintFailure
 */
export async function printDocument(
  chromium: Chromium,
  document: PrintedDocument,
  answer: AnswerResource,
): Promise<Buffer> {
  const { connection } = chromium
  const { browser } = connection
  const { browserContextId } = await browser.send('Target.createBrowserContext', { disposeOnDetach: true })
  await browser.send('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId })
  const { targetId } = await browser.send('Target.createTarget', { url: 'about:blank', browserContextId })
  const session = await connection.attach(targetId)
  const page = new DocumentPage(chromium, session, targetId, document, answer)
  const pdf = await page.print()
  await browser.send('Target.disposeBrowserContext', { browserContextId })
  return pdf
}

class DocumentPage {
  readonly #chromium: Chromium
  readonly #session: Session
  /** Id of the main frame. */
  readonly #frame: string
  readonly #document: PrintedDocument
  readonly #answer: AnswerResource
  /** Whether the document itself was loaded. */
  #isServed = false
  #requests = 0
  #openRequests = 0
  #bytes = 0
  #answering = 0
  readonly #waiting: (() => void)[] = []
  /** When the last request of a script ended, as `performance.now()`. */
  #scriptAnswered = Number.NEGATIVE_INFINITY
  readonly #failed: Promise<never>
  #fail: (failure: PrintFailure) => void = () => undefined

  constructor(chromium: Chromium, session: Session, frame: string, document: PrintedDocument, answer: AnswerResource) {
    this.#chromium = chromium
    this.#session = session
    this.#frame = frame
    this.#document = document
    this.#answer = answer
    this.#failed = new Promise<never>((_done, reject) => {
      this.#fail = reject
    })
    // `print` throws the failure. Without this line, a failure before `print` would end the process.
    this.#failed.catch(() => undefined)
  }

  async print(): Promise<Buffer> {
    const session = this.#session
    session.on('Inspector.targetCrashed', () =>
      this.#fail(
        new PrintFailure(
          'The document crashed while it was printed, probably because it needs too much memory.',
          'memory',
        ),
      ),
    )
    // A dialog would stop the document. The command fails only when the page or Chromium has ended, which is reported above and below.
    session.on('Page.javascriptDialogOpening', () => {
      session.send('Page.handleJavaScriptDialog', { accept: false }).catch(() => undefined)
    })
    this.#chromium.onEnd(() => this.#fail(new PrintFailure('Chromium ended while it printed the document.', 'broken')))
    try {
      return await Promise.race([this.#failed, this.#loadAndPrint()])
    } catch (error) {
      throw error instanceof PrintFailure
        ? error
        : new PrintFailure(
            `Chromium cannot print the document: ${error instanceof Error ? error.message : String(error)}.`,
            'broken',
          )
    }
  }

  async #loadAndPrint(): Promise<Buffer> {
    const session = this.#session
    await Promise.all([session.send('Page.enable'), this.#intercept(session)])
    const loaded = new Promise<void>((resolve) => {
      session.on('Page.loadEventFired', () => resolve())
      // A document that tries to open another page while it loads gets no load event.
      session.on('Page.frameStoppedLoading', ({ frameId }) => {
        if (frameId === this.#frame && this.#isServed) resolve()
      })
    })
    const { errorText } = await session.send('Page.navigate', { url: this.#document.url })
    if (errorText !== undefined) throw new PrintFailure(`Chromium cannot load the document: ${errorText}.`, 'broken')
    await loaded
    await this.#settled()
    await session.send('Runtime.evaluate', { expression: SHOWN, awaitPromise: true })
    await this.#settled()
    return this.#pdf()
  }

  /** Waits for requests that scripts have sent. */
  async #settled(): Promise<void> {
    const end = performance.now() + SETTLE_TIME
    const isOpen = (): boolean => this.#openRequests > 0 || performance.now() - this.#scriptAnswered < NEXT_REQUEST_TIME
    while (isOpen() && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, SETTLE_INTERVAL))
  }

  async #pdf(): Promise<Buffer> {
    const session = this.#session
    const margins = { marginTop: MARGIN, marginBottom: MARGIN, marginLeft: MARGIN, marginRight: MARGIN }
    const { stream: handle } = await session.send('Page.printToPDF', {
      ...A4,
      ...margins,
      printBackground: true,
      // The size, the orientation and the margins of `@page` take precedence.
      preferCSSPageSize: true,
      transferMode: 'ReturnAsStream',
    })
    if (handle === undefined) throw new PrintFailure('Chromium has printed nothing.', 'broken')
    const chunks: Buffer[] = []
    let size = 0
    for (;;) {
      const { data, base64Encoded, eof } = await session.send('IO.read', { handle, size: CHUNK })
      const chunk = Buffer.from(data, base64Encoded === true ? 'base64' : 'latin1')
      size += chunk.length
      if (size > MAX_PDF) throw new PrintFailure(`The PDF is larger than ${MAX_PDF / 1_000_000} MB.`, 'size')
      chunks.push(chunk)
      if (eof) return Buffer.concat(chunks)
    }
  }

  /** Intercepts the requests of a page, and of the frames and workers that it starts. */
  async #intercept(session: Session): Promise<void> {
    // An answer fails only when the page that has sent the request has ended.
    session.on('Fetch.requestPaused', (event) => void this.#receive(session, event).catch(() => undefined))
    session.on('Target.attachedToTarget', ({ sessionId }) => {
      const child = this.#chromium.connection.session(sessionId)
      if (child !== null) void this.#interceptChild(child)
    })
    await Promise.all([
      session.send('Fetch.enable', { patterns: [{ urlPattern: '*', requestStage: 'Request' }] }),
      session.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }),
    ])
  }

  /** A target whose requests cannot be intercepted has ended, or gets nothing, because Chromium has no network. */
  async #interceptChild(child: Session): Promise<void> {
    await this.#intercept(child).catch(() => undefined)
    await child.send('Runtime.runIfWaitingForDebugger').catch(() => undefined)
  }

  async #receive(session: Session, event: Protocol.Fetch.RequestPausedEvent): Promise<void> {
    const { requestId, request, resourceType, frameId } = event
    const refuse = (errorReason: Protocol.Network.ErrorReason): Promise<unknown> =>
      session.send('Fetch.failRequest', { requestId, errorReason })
    if (resourceType === 'Document' && frameId === this.#frame) {
      // The document stays when it tries to open another page. An aborted navigation changes nothing.
      if (this.#isServed) return void (await refuse('Aborted'))
      this.#isServed = true
      const headers = { 'content-type': 'text/html; charset=utf-8' }
      return this.#fulfill(session, requestId, { status: 200, headers, body: Buffer.from(this.#document.html) })
    }
    // Both are parts of the document.
    if (/^(?:data|blob):/i.test(request.url)) return void (await session.send('Fetch.continueRequest', { requestId }))
    const isAllowed = /^https?:/i.test(request.url) && request.method === 'GET' && this.#requests < MAX_REQUESTS
    if (!isAllowed) return void (await refuse('BlockedByClient'))
    this.#requests++
    this.#openRequests++
    try {
      const accept = request.headers['Accept'] ?? request.headers['accept'] ?? '*/*'
      const resource = await this.#resource({ url: request.url, accept })
      if (resource === null) await refuse('BlockedByClient')
      else await this.#fulfill(session, requestId, resource)
    } finally {
      this.#openRequests--
      if (SCRIPTED.has(resourceType)) this.#scriptAnswered = performance.now()
    }
  }

  /** Returns a resource; null when it is refused, or when all resources together are too large. */
  async #resource(request: ResourceRequest): Promise<Resource | null> {
    if (this.#answering < MAX_AT_ONCE) this.#answering++
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      if (this.#bytes > MAX_RESOURCES) return null
      // The document continues without a resource that cannot be sent. The site's handler has logged its own errors.
      const resource = await this.#answer(request).catch(() => null)
      this.#bytes += resource?.body.length ?? 0
      return resource
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#answering--
      else next()
    }
  }

  async #fulfill(session: Session, requestId: string, { status, headers, body }: Resource): Promise<void> {
    const responseHeaders = Object.entries(headers)
      .filter(([name]) => !DROPPED_HEADERS.test(name))
      .map(([name, value]) => ({ name, value }))
    const content = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('base64')
    await session.send('Fetch.fulfillRequest', { requestId, responseCode: status, responseHeaders, body: content })
  }
}
