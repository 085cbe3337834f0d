/** The options and the interface of a listener. */
import type { SendHandle } from 'node:child_process'
import type { Socket } from 'node:net'
import type { Measures } from '../../core/contracts/observer.ts'
import type { Tracer } from '../../core/contracts/tracer.ts'
import type { GateOptions } from './gate.ts'
import type { Reply, Request } from './message.ts'
import type { AnsweredRequest, RequestLog } from './request-log.ts'
import type { Uploads } from './receive.ts'
import type { StoredBodies } from './stored-body.ts'
import type { SocketHandler } from './upgrade.ts'

export interface ListenOptions extends GateOptions {
  /** Listening sockets of another process. They are used instead of `host` and `port`. */
  readonly sockets?: readonly SendHandle[]
  /** Maximum size of a request body in bytes; a larger one is answered with 413. */
  readonly bodyLimit: number
  /** Limits of uploaded files; by default 25 MB a file, stored in the system's temporary folder. */
  readonly uploads?: Uploads
  /**
   * Milliseconds within which a whole request must arrive, and within which the client must read part of the answer. By
   * default 60,000.
   */
  readonly patience?: number
  /** Maximum number of open connections. By default the system's limit, but not more than 10,000. */
  readonly most?: number
  /**
   * Returns the answer to a health check, or null for all other requests. Called before hosts, limits and the queue of
   * the process are checked.
   */
  readonly probes?: (request: Request) => Promise<Reply> | null
  /**
   * Returns whether the body of a request is needed. The body has not been read yet. A body that is not needed is
   * discarded, and the handler gets the request without it. By default all bodies are read.
   */
  readonly takesBody?: (request: Request) => boolean | Promise<boolean>
  /** Paths with large bodies, which are stored as files for every content type. */
  readonly storedBodies?: StoredBodies
  /** Handles WebSockets; without it there are none. */
  readonly webSockets?: SocketHandler
  readonly log: RequestLog
  /** Called for each answered request. */
  readonly answeredRequest?: (answeredRequest: AnsweredRequest) => void
  /** Identifies the current build, for the request log. */
  readonly release?: string | null
  /** Absent or null when nothing is measured. */
  readonly measures?: Measures | null
  /** Absent or null when nothing is traced. */
  readonly tracer?: Tracer | null
}

export interface Listening {
  readonly port: number
  /** Number of open connections. */
  connections(): number
  /** Handles a connection that another process has accepted. No bytes of the connection may have been read. */
  handleConnection(connection: Socket): void
  /** Closes this many connections after their next answer, so that their clients may reconnect to another process. */
  closeConnections(count: number): void
  /**
   * Accepts the waiting connections and then no more, lets open requests finish, then resolves.
   * @param grace milliseconds after which open connections are closed
   * @param linger milliseconds after its last answer in which an idle connection may still send a request, which is
   * answered. `REUSE_TIME` is long enough for every client that respects the announced time. With a shorter time, a
   * request that is already on its way may be lost.
   */
  stop(grace: number, linger: number): Promise<void>
}
