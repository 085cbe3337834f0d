/** What a listener is given, and what it does for its callers. */
import type { SendHandle } from 'node:child_process'
import type { Socket } from 'node:net'
import type { Measures } from '../../core/contracts/observer.ts'
import type { Tracer } from '../../core/contracts/tracer.ts'
import type { GateOptions } from './gate.ts'
import type { Reply, Request } from './message.ts'
import type { AnsweredRequest, RequestLog } from './request-log.ts'
import type { Uploads } from './receive.ts'
import type { StoredBodies } from './stored-body.ts'

export interface ListenOptions extends GateOptions {
  /** Listening sockets of another process, which are used in place of `host` and `port`. */
  readonly sockets?: readonly SendHandle[]
  /** Largest request body in bytes; a larger one is answered with 413. */
  readonly bodyLimit: number
  /** Limits of uploaded files; by default 25 MB a file, stored in the system's temporary folder. */
  readonly uploads?: Uploads
  /**
   * Milliseconds within which a whole request must arrive, and within which the client must read some of the answer;
   * 60,000 by default.
   */
  readonly patience?: number
  /** Most open connections; by default what the system allows, up to 10,000. */
  readonly most?: number
  /**
   * Answers for machines that watch the server, asked before anything else: no host, limit or queue stands before it.
   * Null for all other requests.
   */
  readonly probes?: (request: Request) => Promise<Reply> | null
  /**
   * Whether the body of a request, which has not been read yet, is needed. A body that is not needed is discarded as
   * it comes, and the handler gets a request without one; by default all are read.
   */
  readonly takesBody?: (request: Request) => boolean | Promise<boolean>
  /** Where bodies are large, and are stored as files whatever their type. */
  readonly stored?: StoredBodies
  readonly log: RequestLog
  /** Told of each request that was answered. */
  readonly answered?: (answered: AnsweredRequest) => void
  /** Identifies the build that is served, for the request log. */
  readonly release?: string | null
  /** Absent or null where nothing is measured. */
  readonly measures?: Measures | null
  /** Absent or null where nothing is traced. */
  readonly tracer?: Tracer | null
}

export interface Listening {
  readonly port: number
  /** Number of open connections. */
  connections(): number
  /** Takes a connection that another process has accepted, before a byte of it was read. */
  visit(connection: Socket): void
  /** Closes this many connections after their next answer, so that their clients may reconnect to another process. */
  part(count: number): void
  /**
   * Accepts the connections that wait for it and then no more, lets open requests finish, then resolves.
   * @param grace milliseconds after which open connections are closed
   * @param linger milliseconds after its last answer in which an idle connection may still send a request, which is
   * answered. `IN_USE` is long enough for every client that keeps to the announced time; a shorter time may lose a
   * request that is on its way.
   */
  stop(grace: number, linger: number): Promise<void>
}
