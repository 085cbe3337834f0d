/** The WebSockets of a process: connections, rooms, and messages from other processes. */
import { randomUUID } from 'node:crypto'
import type { Sql } from 'postgres'
import { type WebSocket, WebSocketServer } from 'ws'
import { setTimeout as sleep } from 'node:timers/promises'
import { isLoopback } from '../http/forwarded.ts'
import { BadRequest, type Reply, type Request } from '../http/message.ts'
import { network } from '../http/network.ts'
import { plainReply, refusedReply, UNREACHABLE } from '../http/plain-reply.ts'
import type { AdmittedSocket, SocketHandler } from '../http/upgrade.ts'
import type { SiteHost } from '../site/host.ts'
import { hasPassed } from '../site/maintenance.ts'
import { SessionsAway } from '../site/session.ts'
import type { MessageBus, RoomMessage } from './bus.ts'
import { Connection, type ConnectionHost, type KnownVisitor, socketOptions, type Subscription } from './connection.ts'
import { CHECK_INTERVAL, MAX_MESSAGE, MAX_PER_CLIENT, Pace, PING_INTERVAL } from './limits.ts'
import { MAX_REPORTED, type OpenRoom, removeReport, REPORT_INTERVAL, writeReport } from './report.ts'
import { disconnection, ping, PROTOCOL, WELCOME } from './protocol.ts'
import { followEndedSessions, sessionDigest, withoutSession } from './ended-sessions.ts'
import { type FindBearer, SocketVisitor } from './visitor.ts'

export interface ChannelsOptions {
  /** Finds ended sessions, and stores reports. Null in tests of a site, whose sessions no other connection sees. */
  readonly sql: Sql | null
  readonly bus: MessageBus
  /** Returns the current site; null while there is none. */
  readonly site: () => SiteHost | null
  readonly isOwnHost: (host: string) => boolean
  readonly bearer: FindBearer
}

/** Maximum milliseconds in which the database must answer when a process stops. */
const LEAVE_TIME = 1_000

/** The connections of a client: an IPv4 address, or 64 bits of an IPv6 address. */
interface Client {
  connections: number
  readonly pace: Pace
}

/** The WebSockets of a process. */
export class Channels implements ConnectionHost, SocketHandler {
  readonly #options: ChannelsOptions
  readonly #server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    // Compression takes some 100 kB for each connection.
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE,
    handleProtocols: (protocols) => (protocols.has(PROTOCOL) ? PROTOCOL : false),
  })
  readonly #connections = new Set<Connection>()
  readonly #clients = new Map<string, Client>()
  readonly #rooms = new Map<string, Set<Subscription>>()
  readonly #timers: NodeJS.Timeout[] = []
  /** Resolves when messages of other processes are received. Null before the first connection. */
  #listening: Promise<void> | null = null
  #unfollow: () => Promise<void> = async () => undefined
  #stopping = false
  /** Identifies the process in reports. */
  readonly #id = randomUUID()
  #reported = false

  constructor(options: ChannelsOptions) {
    this.#options = options
  }

  site(): SiteHost | null {
    return this.#options.site()
  }

  /** Number of open connections. */
  get size(): number {
    return this.#connections.size
  }

  async admit(request: Request): Promise<AdmittedSocket | Reply> {
    const site = this.site()
    if (site === null || this.#stopping) return plainReply(503, 'txt')
    const client = isLoopback(request.ip) ? null : network(request.ip)
    if (client !== null && (this.#clients.get(client)?.connections ?? 0) >= MAX_PER_CLIENT)
      return refusedReply(429, 'txt', `the client has ${MAX_PER_CLIENT} WebSockets already`, false)
    const isShown = site.facts.environment === 'development'
    try {
      const visitor = new SocketVisitor(request, this.#options.isOwnHost, this.#options.bearer)
      const opened = await visitor.open(site, socketOptions(site).requireToken)
      if ('reason' in opened) {
        return { open: this.#refuse, reason: opened.reason }
      }
      const { session } = opened
      if (site.loadedSite.site.options.maintenance.enabled && !hasPassed(session)) return plainReply(503, 'txt')
      await this.#listen()
      const user = session.user?.id ?? null
      const open = this.#open(visitor, { user, row: session.row, client })
      return { open, ...(user !== null && { user }) }
    } catch (error) {
      if (error instanceof BadRequest) return refusedReply(error.status, 'txt', error.message, true)
      if (error instanceof SessionsAway) return refusedReply(503, 'txt', UNREACHABLE, isShown)
      const reason = error instanceof Error ? error.message : String(error)
      site.logger.error({ id: request.id, reason }, 'a WebSocket could not be opened')
      return plainReply(503, 'txt')
    }
  }

  join(subscription: Subscription): void {
    const key = roomKey(subscription.target)
    const members = this.#rooms.get(key)
    if (members === undefined) this.#rooms.set(key, new Set([subscription]))
    else members.add(subscription)
  }

  leave(subscription: Subscription): void {
    const key = roomKey(subscription.target)
    const members = this.#rooms.get(key)
    members?.delete(subscription)
    if (members?.size === 0) this.#rooms.delete(key)
  }

  publish(message: RoomMessage): Promise<void> {
    return this.#options.bus.publish(message)
  }

  ended(connection: Connection): void {
    this.#connections.delete(connection)
    const { client } = connection
    if (client === null) return
    const known = this.#clients.get(client)
    if (known !== undefined && --known.connections === 0) this.#clients.delete(client)
  }

  /**
   * Closes all connections, so that their clients connect to another process.
   * @param time maximum milliseconds for the partials that run when a subscription ends
   */
  async stop(time: number): Promise<void> {
    this.#stopping = true
    for (const timer of this.#timers) clearInterval(timer)
    for (const connection of this.#connections) connection.close('server_restart', true)
    const deadline = performance.now() + time
    while (this.#connections.size > 0 && performance.now() < deadline) await sleep(20)
    const { sql } = this.#options
    const left = Promise.all([this.#unfollow(), this.#reported && sql !== null ? removeReport(sql, this.#id) : null])
    // An unresponsive database is not waited for.
    await Promise.race([left, sleep(LEAVE_TIME, null, { ref: false })])
  }

  /** Tells a client that it is not authorized, so that it does not try again. */
  readonly #refuse: AdmittedSocket['open'] = (message, socket, head) => {
    this.#server.handleUpgrade(message, socket, head, (webSocket) => {
      webSocket.on('error', () => undefined)
      webSocket.send(disconnection('unauthorized', false))
      webSocket.close(1000)
    })
  }

  #open(visitor: SocketVisitor, known: KnownVisitor): AdmittedSocket['open'] {
    return (message, socket, head) => {
      this.#server.handleUpgrade(message, socket, head, (webSocket: WebSocket) => {
        const { client } = known
        const connection = new Connection(this, webSocket, visitor, known, this.#countConnection(client))
        this.#connections.add(connection)
        connection.send(WELCOME)
        if (this.#stopping) connection.close('server_restart', true)
      })
    }
  }

  /** Counts a connection. Returns the pace of all connections of its client; null for a client without limits. */
  #countConnection(client: string | null): Pace | null {
    if (client === null) return null
    const known = this.#clients.get(client) ?? { connections: 0, pace: new Pace('client') }
    known.connections++
    this.#clients.set(client, known)
    return known.pace
  }

  /** Receives messages of other processes. @throws the bus's errors */
  async #listen(): Promise<void> {
    this.#listening ??= this.#startListening()
    try {
      await this.#listening
    } catch (error) {
      this.#listening = null
      throw error
    }
  }

  async #startListening(): Promise<void> {
    const { bus, sql } = this.#options
    await bus.listen({ receive: (message) => this.#deliver(message), missed: () => this.#reconnectAll() })
    if (sql !== null) this.#unfollow = await followEndedSessions(sql, (digest) => this.#endSession(digest))
    const pings = setInterval(() => {
      const text = ping(Date.now())
      for (const connection of this.#connections) connection.send(text)
    }, PING_INTERVAL)
    const reports = setInterval(() => void this.#report(), REPORT_INTERVAL)
    const checks = setInterval(() => void this.#check(), CHECK_INTERVAL)
    this.#timers.push(pings.unref(), reports.unref(), checks.unref())
  }

  #largestRooms(): readonly OpenRoom[] {
    const rooms = [...this.#rooms.values()].toSorted((a, b) => b.size - a.size).slice(0, MAX_REPORTED)
    return rooms.flatMap((members) => {
      const [first] = members
      if (first === undefined) return []
      const { channel, room } = first.target
      return { channel, room, subscriptions: members.size }
    })
  }

  #deliver({ channel, room, payload }: RoomMessage): void {
    for (const subscription of this.#rooms.get(roomKey({ channel, room })) ?? []) subscription.send(payload)
  }

  /** Lets all clients connect again, because they may have missed messages. Clients load what they have missed then. */
  #reconnectAll(): void {
    this.site()?.logger.warn({}, 'messages to WebSockets may have been missed: all clients connect again')
    for (const connection of this.#connections) connection.close('server_restart', true)
  }

  #endSession(digest: string): void {
    for (const connection of this.#connections)
      if (connection.row !== null && sessionDigest(connection.row) === digest) connection.close('unauthorized', false)
  }

  /** Writes the connections and rooms of this process for operators. */
  async #report(): Promise<void> {
    const { sql } = this.#options
    if (sql === null || (this.#connections.size === 0 && !this.#reported)) return
    this.#reported = this.#connections.size > 0
    await writeReport(sql, this.#id, this.#connections.size, this.#largestRooms())
  }

  async #check(): Promise<void> {
    for (const connection of this.#connections) connection.check()
    const { sql } = this.#options
    if (sql === null) return
    try {
      const gone = await withoutSession(sql, [...this.#connections])
      for (const connection of gone) connection.close('unauthorized', false)
    } catch {
      // Without the database, sessions are checked at the next message.
    }
  }
}

function roomKey({ channel, room }: { readonly channel: string; readonly room: string }): string {
  return `${channel}\0${room}`
}
