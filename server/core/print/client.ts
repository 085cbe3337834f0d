/** Prints documents in the printing process of this server, which is started when it does not run. */
import { spawn } from 'node:child_process'
import { connect, type Socket } from 'node:net'
import type { PrintSettings } from '../settings.ts'
import { findChromium, missingChromium } from './find-chromium.ts'
import { type AnswerResource, MAX_HTML, type PrintedDocument, type Printer, PrintFailure } from './model.ts'
import type { ServiceOptions } from './service.ts'
import { socketPath } from './socket-path.ts'
import { fromPrinter, receiveMessages, sendMessage } from './wire.ts'

export interface PrinterOptions {
  /** Path of the program of the printing process. */
  readonly program: string
  /** The data folder. Processes with the same folder and the same settings share a printing process. */
  readonly dataFolder: string
  readonly settings: PrintSettings
  /** Milliseconds after the last document after which the printing process ends; five minutes by default. */
  readonly idle?: number
}

/** An open document. */
interface Open {
  readonly answer: AnswerResource
  readonly done: (pdf: Buffer) => void
  readonly fail: (failure: PrintFailure) => void
}

const IDLE_TIME = 300_000
/** Milliseconds in which the printing process must start. */
const START_TIMEOUT = 30_000
/** Milliseconds that the printing process has, after the time of a document, to report that it failed. */
const REPORT_TIME = 5_000
const CONNECT_ATTEMPTS = 3

const LOST = 'The process that prints documents ended: try again.'

/** Creates the printer of this process. Nothing is started before the first document. */
export function createPrinter(options: PrinterOptions): Printer & { close(): void } {
  return new PrinterClient(options)
}

class PrinterClient implements Printer {
  readonly #options: PrinterOptions
  #connection: Promise<Connection> | null = null

  constructor(options: PrinterOptions) {
    this.#options = options
  }

  async print(document: PrintedDocument, answer: AnswerResource): Promise<Uint8Array> {
    const size = Buffer.byteLength(document.html)
    if (size > MAX_HTML)
      throw new PrintFailure(`The document has ${size} bytes of HTML, and at most ${MAX_HTML} are printed.`, 'size')
    const deadline = performance.now() + document.time
    const attempt = async (): Promise<Buffer> => {
      const connection = await this.#connect()
      return connection.print({ ...document, time: Math.max(1, deadline - performance.now()) }, answer)
    }
    try {
      return await attempt()
    } catch (error) {
      // The process may end just when the document is sent, because it was not used for some minutes.
      if (error instanceof PrintFailure && error.message === LOST) return attempt()
      throw error
    }
  }

  close(): void {
    void this.#connection?.then(
      (connection) => connection.close(),
      () => undefined,
    )
  }

  #connect(): Promise<Connection> {
    if (this.#connection !== null) return this.#connection
    const opening = this.#open()
    this.#connection = opening
    const forget = (): void => {
      if (this.#connection === opening) this.#connection = null
    }
    opening.then((connection) => connection.onClose(forget), forget)
    return opening
  }

  async #open(): Promise<Connection> {
    const { settings, program, dataFolder, idle = IDLE_TIME } = this.#options
    const chromium = findChromium(settings.chromium)
    if (chromium === null)
      throw new PrintFailure(`No Chromium is found: ${missingChromium(settings.chromium)}`, 'unavailable')
    const { memory, sandbox, seconds, atOnce } = settings
    const shared = { program: chromium, memory, sandbox, time: seconds * 1000, atOnce, idle }
    const socket = socketPath(JSON.stringify([dataFolder, shared]))
    for (let attempt = 0; attempt < CONNECT_ATTEMPTS; attempt++) {
      const connected = await connectTo(socket)
      if (connected !== null) return new Connection(connected)
      await startProcess(program, { ...shared, socket })
    }
    throw new PrintFailure('The process that prints documents does not stay alive: see INGOT_CHROMIUM.', 'unavailable')
  }
}

/** Connects to a socket; returns null when no process listens. */
function connectTo(path: string): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('error', () => resolve(null))
    socket.once('connect', () => resolve(socket))
  })
}

/** Starts the printing process. @throws PrintFailure */
async function startProcess(program: string, options: ServiceOptions): Promise<void> {
  // Its own group, because Ctrl-C in a terminal must not end it before the documents that are being printed.
  const child = spawn(process.execPath, [program, JSON.stringify(options)], {
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: withoutSecrets(process.env),
  })
  let timer: NodeJS.Timeout | undefined
  const problem = await new Promise<string | null>((resolve) => {
    timer = setTimeout(() => resolve('it does not answer'), START_TIMEOUT)
    child.once('message', () => resolve(null))
    child.once('error', ({ message }) => resolve(message))
    child.once('exit', (code, signal) => resolve(`it ended with ${signal ?? `code ${code}`}`))
  })
  clearTimeout(timer)
  if (child.connected) child.disconnect()
  child.unref()
  if (problem === null) return
  child.kill('SIGKILL')
  throw new PrintFailure(`The process that prints documents cannot be started: ${problem}.`, 'unavailable')
}

/** Variables that the printing process and Chromium read. The others may contain secrets. */
const VARIABLES = /^(?:PATH|HOME|LANG|LC_ALL|TZ|TMPDIR|TEMP|TMP|FONTCONFIG_\w+|SystemRoot)$/i

function withoutSecrets(variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => VARIABLES.test(name)))
}

class Connection {
  readonly #socket: Socket
  readonly #open = new Map<number, Open>()
  #last = 0

  constructor(socket: Socket) {
    this.#socket = socket
    // An idle connection does not keep a command alive.
    socket.unref()
    socket.on('error', () => undefined)
    socket.on('close', () => {
      for (const { fail } of this.#open.values()) fail(new PrintFailure(LOST, 'broken'))
    })
    receiveMessages(socket, fromPrinter, (message, body) => {
      const open = this.#open.get(message.id)
      if (open === undefined) return
      if (message.type === 'printed') open.done(body)
      else if (message.type === 'failed') open.fail(new PrintFailure(message.message, message.reason))
      else void this.#answer(open, message)
    })
  }

  onClose(callback: () => void): void {
    if (this.#socket.destroyed) callback()
    else this.#socket.once('close', callback)
  }

  async print({ html, url, time }: PrintedDocument, answer: AnswerResource): Promise<Buffer> {
    const id = ++this.#last
    let timer: NodeJS.Timeout | undefined
    this.#socket.ref()
    try {
      return await new Promise<Buffer>((done, fail) => {
        this.#open.set(id, { answer, done, fail })
        timer = setTimeout(() => {
          fail(new PrintFailure('The process that prints documents does not answer.', 'time'))
          // It would not print the next document either.
          this.#socket.destroy()
        }, time + REPORT_TIME)
        if (this.#socket.destroyed) fail(new PrintFailure(LOST, 'broken'))
        else sendMessage(this.#socket, { type: 'print', id, url, time }, Buffer.from(html))
      })
    } finally {
      clearTimeout(timer)
      this.#open.delete(id)
      if (this.#open.size === 0) this.#socket.unref()
    }
  }

  close(): void {
    this.#socket.destroy()
  }

  async #answer(
    { answer }: Open,
    {
      id,
      request,
      url,
      accept,
    }: { readonly id: number; readonly request: number; readonly url: string; readonly accept: string },
  ): Promise<void> {
    // The document continues without a resource that cannot be read. The site's handler logs its own errors.
    const resource = await answer({ url, accept }).catch(() => null)
    const { status, headers, body } = resource ?? { status: 0, headers: {}, body: new Uint8Array(0) }
    sendMessage(this.#socket, { type: 'answer', id, request, status, headers: { ...headers } }, body)
  }
}
