/** Controls Chromium by its DevTools protocol over two pipes. Each message is JSON and ends with a zero byte. */
import type { Readable, Writable } from 'node:stream'
import type { ProtocolMapping } from 'devtools-protocol/types/protocol-mapping.js'
import * as z from 'zod'

type Commands = ProtocolMapping.Commands
type Events = ProtocolMapping.Events
type Listener = (params: unknown) => void

/** A message of Chromium: the answer to a command, or an event. */
const received = z.object({
  id: z.number().optional(),
  result: z.unknown().optional(),
  error: z.object({ message: z.string() }).optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  sessionId: z.string().optional(),
})

interface OpenCommand {
  readonly session: Session
  readonly done: (result: unknown) => void
  readonly fail: (error: Error) => void
}

/** The commands and events of one target: a page, a frame, a worker, or the browser itself. */
export class Session {
  /** Undefined for the browser. */
  readonly id: string | undefined
  readonly #connection: Connection
  readonly #listeners = new Map<string, Listener[]>()

  constructor(connection: Connection, id?: string) {
    this.#connection = connection
    this.id = id
  }

  /**
   * Sends a command.
   * @throws Error when Chromium refuses it, or ends before it answers
   */
  send<Method extends keyof Commands>(
    method: Method,
    ...[params = {}]: Commands[Method]['paramsType']
  ): Promise<Commands[Method]['returnType']> {
    // The types of the protocol describe the answers.
    return this.#connection.command(this, method, params) as Promise<Commands[Method]['returnType']>
  }

  on<Event extends keyof Events>(event: Event, listener: (...params: Events[Event]) => void): void {
    const listeners = this.#listeners.get(event) ?? []
    this.#listeners.set(event, listeners)
    // The types of the protocol describe the parameters.
    listeners.push(listener as Listener)
  }

  /** Passes an event to its listeners. */
  receive(event: string, params: unknown): void {
    for (const listener of this.#listeners.get(event) ?? []) listener(params)
  }
}

export class Connection {
  /** The session of the browser. */
  readonly browser = new Session(this)
  readonly #input: Writable
  readonly #sessions = new Map<string, Session>()
  readonly #open = new Map<number, OpenCommand>()
  #last = 0
  #isClosed = false

  /**
   * @param input where commands are written
   * @param output where answers and events are read
   */
  constructor(input: Writable, output: Readable) {
    this.#input = input
    let chunks: Buffer[] = []
    output.on('data', (data: Buffer) => {
      let from = 0
      for (let end = data.indexOf(0); end >= 0; end = data.indexOf(0, from)) {
        chunks.push(data.subarray(from, end))
        const text = Buffer.concat(chunks).toString()
        chunks = []
        from = end + 1
        try {
          this.#receive(text)
        } catch {
          // The next command fails, and this Chromium is replaced.
          this.close()
        }
      }
      if (from < data.length) chunks.push(data.subarray(from))
    })
    // The end of the process has the same effect.
    input.on('error', () => this.close())
    output.on('error', () => this.close())
  }

  /** Returns a session by its id; null when its target is gone. */
  session(id: string): Session | null {
    return this.#sessions.get(id) ?? null
  }

  /** Attaches to a target. */
  async attach(targetId: string): Promise<Session> {
    const { sessionId } = await this.browser.send('Target.attachToTarget', { targetId, flatten: true })
    return this.#createSession(sessionId)
  }

  /** Sends a command of a session. */
  command(session: Session, method: string, params: object): Promise<unknown> {
    return new Promise((done, fail) => {
      if (this.#isClosed) return fail(new Error('Chromium has ended'))
      const id = ++this.#last
      this.#open.set(id, { session, done, fail })
      this.#input.write(`${JSON.stringify({ id, method, params, sessionId: session.id })}\0`)
    })
  }

  /** Fails the open commands and all later ones. */
  close(): void {
    this.#isClosed = true
    this.#failAll(() => true, 'Chromium has ended')
  }

  #receive(text: string): void {
    const { id, result, error, method, params, sessionId } = received.parse(JSON.parse(text))
    if (id !== undefined) {
      const command = this.#open.get(id)
      this.#open.delete(id)
      if (error === undefined) command?.done(result)
      else command?.fail(new Error(error.message))
      return
    }
    if (method === undefined) return
    const { sessionId: target } = attachment.parse(params ?? {})
    if (method === 'Target.attachedToTarget' && target !== undefined) this.#createSession(target)
    const session = sessionId === undefined ? this.browser : this.#sessions.get(sessionId)
    session?.receive(method, params)
    if (method !== 'Target.detachedFromTarget' || target === undefined) return
    this.#sessions.delete(target)
    this.#failAll((open) => open.session.id === target, 'its page has ended')
  }

  #createSession(id: string): Session {
    const session = this.#sessions.get(id) ?? new Session(this, id)
    this.#sessions.set(id, session)
    return session
  }

  #failAll(isEnded: (command: OpenCommand) => boolean, reason: string): void {
    for (const [id, command] of this.#open) {
      if (!isEnded(command)) continue
      this.#open.delete(id)
      command.fail(new Error(reason))
    }
  }
}

/** The session that an event is about. */
const attachment = z.object({ sessionId: z.string().optional().catch(undefined) })
