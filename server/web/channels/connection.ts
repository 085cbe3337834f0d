/** One WebSocket of a client, with its subscriptions. Commands are handled one after another. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { RawData, WebSocket } from 'ws'
import type { HashValue } from '../../../runtime/page/values/hash.ts'
import type { SiteHost } from '../site/host.ts'
import { SessionsAway } from '../site/session.ts'
import type { RoomMessage } from './bus.ts'
import { MAX_SUBSCRIPTIONS, MAX_UNREAD, MAX_WAITING, Pace, TOO_MUCH_UNREAD, UNREAD_TIME } from './limits.ts'
import {
  type CloseReason,
  type Command,
  confirmation,
  disconnection,
  messageHead,
  parseCommand,
  parseHash,
  parseTarget,
  refusal,
  type RefusalCode,
  rejection,
  type Target,
} from './protocol.ts'
import { type CallbackResult, runCallback } from './run.ts'
import type { SocketVisitor } from './visitor.ts'

/** What a connection needs of the process. */
export interface ConnectionHost {
  /** Returns the current site; null while there is none. */
  site(): SiteHost | null
  /** Adds a subscription to its room. */
  join(subscription: Subscription): void
  leave(subscription: Subscription): void
  /** @throws the bus's errors */
  publish(message: RoomMessage): Promise<void>
  /** Called when the connection has ended, after its partials have run. */
  ended(connection: Connection): void
}

/** A subscription of a connection. */
export class Subscription {
  /** The value of `context.exports` after the last partial. */
  exports: unknown = null
  readonly #head: string

  constructor(
    readonly connection: Connection,
    /** The text with which the client names the subscription. */
    readonly identifier: string,
    readonly target: Target,
  ) {
    this.#head = messageHead(identifier)
  }

  /** Sends a message. @param payload JSON */
  send(payload: string): void {
    this.connection.send(`${this.#head}${payload}}`)
  }
}

/** Status code of the WebSocket protocol for a server that goes away. */
const GOING_AWAY = 1001
/** Milliseconds in which a client must close the connection. */
const CLOSE_TIME = 2_000

/** What is known of the visitor since the handshake. */
export type KnownVisitor = Pick<Connection, 'user' | 'row' | 'client'>

export class Connection {
  /** Id of the user at the handshake; null when no user was signed in. */
  readonly user: string | null
  /** Key of the session's row, in hex; null without one. */
  readonly row: string | null
  /** Client for limits: see `network`. Null for clients without limits. */
  readonly client: string | null
  readonly #host: ConnectionHost
  readonly #socket: WebSocket
  readonly #visitor: SocketVisitor
  readonly #subscriptions = new Map<string, Subscription>()
  readonly #waiting: Command[] = []
  readonly #pace = new Pace('connection')
  readonly #clientPace: Pace | null
  /** The time since which more than `MAX_UNREAD` bytes wait for the client; null when fewer wait. */
  #slowSince: number | null = null
  /** Whether the client has answered the last WebSocket ping. */
  #isAlive = true
  #working = false
  #closed = false

  constructor(
    host: ConnectionHost,
    socket: WebSocket,
    visitor: SocketVisitor,
    known: KnownVisitor,
    clientPace: Pace | null,
  ) {
    this.#host = host
    this.#socket = socket
    this.#visitor = visitor
    this.user = known.user
    this.row = known.row
    this.client = known.client
    this.#clientPace = clientPace
    socket.on('message', this.#receive)
    socket.on('pong', () => {
      this.#isAlive = true
    })
    // An error is followed by `close`.
    socket.on('error', () => undefined)
    socket.once('close', () => void this.#end())
  }

  /** Sends a text. A client that does not read is disconnected. */
  send(text: string): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return
    if (this.#isTooSlow()) this.#socket.terminate()
    else this.#socket.send(text)
  }

  #isTooSlow(): boolean {
    const { bufferedAmount } = this.#socket
    if (bufferedAmount <= MAX_UNREAD) {
      this.#slowSince = null
      return false
    }
    this.#slowSince ??= performance.now()
    return bufferedAmount > TOO_MUCH_UNREAD || performance.now() - this.#slowSince > UNREAD_TIME
  }

  /** Checks whether the client is still there. Closes the connection when it has not answered the previous check. */
  check(): void {
    if (!this.#isAlive) {
      this.#socket.terminate()
      return
    }
    this.#isAlive = false
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.ping()
  }

  /** Closes the connection. @param reconnect whether the client may connect again */
  close(reason: CloseReason, reconnect: boolean): void {
    this.send(disconnection(reason, reconnect))
    this.#socket.close(GOING_AWAY)
    setTimeout(() => this.#socket.terminate(), CLOSE_TIME).unref()
  }

  readonly #receive = (data: RawData, isBinary: boolean): void => {
    if (isBinary || this.#closed) return
    const command = parseCommand(data.toString())
    // As in Rails, a client that sends something else is not disconnected.
    if (command === null) return
    this.#waiting.push(command)
    if (this.#waiting.length >= MAX_WAITING) this.#socket.pause()
    if (!this.#working) void this.#work()
  }

  async #work(): Promise<void> {
    this.#working = true
    for (let command = this.#waiting.shift(); command !== undefined; command = this.#waiting.shift()) {
      const wait = Math.max(this.#pace.count(), this.#clientPace?.count() ?? 0)
      if (wait > 0) await sleep(wait)
      if (this.#closed) break
      await this.#handle(command).catch((error: unknown) => this.#failed(error))
      if (this.#socket.isPaused && this.#waiting.length < MAX_WAITING / 2) this.#socket.resume()
    }
    this.#working = false
  }

  #failed(error: unknown): void {
    const stack = error instanceof Error ? error.stack : String(error)
    this.#host.site()?.logger.error({ id: this.#visitor.request.id, stack }, 'a command of a WebSocket failed')
    this.close('server_restart', true)
  }

  async #handle(command: Command): Promise<void> {
    const { identifier } = command
    const subscription = this.#subscriptions.get(identifier)
    if (command.command === 'subscribe') {
      // The client repeats a subscription that is not confirmed yet.
      if (subscription === undefined) await this.#subscribe(identifier)
    } else if (subscription === undefined) return
    else if (command.command === 'unsubscribe') await this.#unsubscribe(subscription)
    else await this.#message(subscription, command.data ?? '')
  }

  async #subscribe(identifier: string): Promise<void> {
    const target = parseTarget(identifier)
    const isFull = this.#subscriptions.size >= MAX_SUBSCRIPTIONS
    const verdict = target === null || isFull ? 'unauthorized' : await this.#admit(identifier, target)
    if (this.#closed) {
      if (verdict instanceof Subscription) await this.#unsubscribed(verdict)
      return
    }
    if (verdict instanceof Subscription) {
      this.#subscriptions.set(identifier, verdict)
      this.#host.join(verdict)
      this.send(confirmation(identifier))
    } else {
      this.send(refusal(identifier, verdict))
      this.send(rejection(identifier))
    }
  }

  /** Asks the channel whether the client may subscribe. */
  async #admit(identifier: string, target: Target): Promise<Subscription | RefusalCode> {
    const site = this.#host.site()
    if (site === null) return 'instance_not_found'
    const subscription = new Subscription(this, identifier, target)
    const result = await this.#run(site, subscription, 'subscribed', {})
    if (result === null) return 'internal'
    if (result.kind === 'failed') return result.isUnavailable ? 'internal' : 'subscribed_partial_error'
    if (result.kind === 'printed') return result.text === 'true' ? subscription : 'unauthorized'
    const { requireSubscribed } = socketOptions(site)
    return this.#visitor.isForeign || requireSubscribed ? 'unauthorized' : subscription
  }

  async #message(subscription: Subscription, data: string): Promise<void> {
    const site = this.#host.site()
    const payload = parseHash(data)
    if (site === null || payload === null) return
    const result = await this.#run(site, subscription, 'receive', payload)
    if (result === null || result.kind === 'failed') return
    if (result.kind === 'printed' && result.text === 'false') return
    const { channel, room } = subscription.target
    try {
      // Sent on as JavaScript writes it, so that a text that only templates can read reaches no other client.
      await this.#host.publish({ channel, room, payload: JSON.stringify(JSON.parse(data)) })
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      site.logger.error({ id: this.#visitor.request.id, reason }, `a message to the channel ${channel} was lost`)
    }
  }

  async #unsubscribe(subscription: Subscription): Promise<void> {
    this.#subscriptions.delete(subscription.identifier)
    this.#host.leave(subscription)
    await this.#unsubscribed(subscription)
  }

  /** Runs a partial of a subscription. Returns null when the session has ended, or cannot be read now. */
  async #run(
    site: SiteHost,
    subscription: Subscription,
    callback: 'subscribed' | 'receive',
    fields: HashValue,
  ): Promise<CallbackResult | null> {
    const opened = await this.#open(site)
    if (opened === null) return null
    const { channel, room, fields: given } = subscription.target
    const { authenticity_token: _, ...known } = given
    // The room and the channel of a message are those of its subscription, whatever the message contains.
    const pinned = { channel, ...(Object.hasOwn(given, 'room_id') && { room_id: given['room_id'] ?? room }) }
    const visit = this.#visitor.visit(site, opened, { ...known, ...fields, ...pinned })
    const result = await runCallback(site, visit, { channel, callback, exports: subscription.exports })
    if (result.kind === 'printed') subscription.exports = result.exports
    return result
  }

  async #open(site: SiteHost): Promise<Exclude<Awaited<ReturnType<SocketVisitor['open']>>, { reason: string }> | null> {
    try {
      const opened = await this.#visitor.open(site, socketOptions(site).requireToken)
      if (!('reason' in opened) && (opened.session.user?.id ?? null) === this.user) return opened
      this.close('unauthorized', false)
      return null
    } catch (error) {
      if (error instanceof SessionsAway) return null
      throw error
    }
  }

  async #unsubscribed(subscription: Subscription): Promise<void> {
    const site = this.#host.site()
    if (site === null) return
    const { channel, fields } = subscription.target
    const { authenticity_token: _, ...known } = fields
    try {
      const visit = await this.#visitor.lateVisit(site, this.user, known)
      await runCallback(site, visit, { channel, callback: 'unsubscribed', exports: subscription.exports })
    } catch (error) {
      if (!(error instanceof SessionsAway)) throw error
    }
  }

  async #end(): Promise<void> {
    this.#closed = true
    this.#waiting.length = 0
    const subscriptions = [...this.#subscriptions.values()]
    this.#subscriptions.clear()
    for (const subscription of subscriptions) this.#host.leave(subscription)
    for (const subscription of subscriptions)
      await this.#unsubscribed(subscription).catch((error: unknown) => this.#failed(error))
    this.#host.ended(this)
  }
}

/** Returns the site's settings of WebSockets. */
export function socketOptions({ loadedSite: { site } }: SiteHost): {
  readonly requireToken: boolean
  readonly requireSubscribed: boolean
} {
  const { sockets } = site.options
  return { requireToken: sockets?.requireToken ?? true, requireSubscribed: sockets?.requireSubscribed ?? true }
}
