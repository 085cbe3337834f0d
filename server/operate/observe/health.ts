/** Answers load balancers and orchestrators: whether a process is alive, and whether it can answer requests. */
import type { PageEntry } from '../../../runtime/page/site.ts'
import { SECURITY_HEADERS } from '../../core/default-headers.ts'
import type { Reply, Request } from '../../web/http/message.ts'

interface HealthPaths {
  readonly up: string
  readonly ready: string
}

export interface HealthOptions {
  readonly paths: HealthPaths
  /** Identifies the served build; null when it changes while it is served. */
  readonly release: string | null
  /** Whether all migrations of the site have run. */
  readonly migrated: () => boolean
  /** Whether no build is served yet, as at the beginning of development. */
  readonly unbuilt?: () => boolean
  readonly database: DatabaseCheck
  readonly log: HealthLog
}

/** Checks whether the database answers and has the tables of this version. */
export interface DatabaseCheck {
  /** Returns why requests that need data cannot be answered; null when they can. Never rejects. */
  problem(): Promise<DatabaseProblem | null>
}

export interface DatabaseProblem {
  /** Message for every client: it contains no address or user. */
  readonly message: string
  /** Message for the operator. */
  readonly logged: string
  /** Whether a replica answers, so that requests that only read can be answered. */
  readonly isReadable: boolean
}

export interface HealthLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

export interface Health {
  /** Answers a request for one of the paths; returns null for all others. */
  answer(request: Request): Promise<Reply> | null
  /** Returns whether this process can answer requests. */
  ready(): Promise<Readiness>
  /** From now on, reports that the process is not ready. */
  drain(): void
}

/** The JSON body of `ready`. */
export interface Readiness {
  readonly status: 'ready' | 'not ready'
  /** Why the process is not ready. */
  readonly reason?: string
  readonly release?: string
  /** `read-only`: the primary is unreachable, and a replica answers requests that only read. */
  readonly database?: 'ok' | 'read-only'
  readonly migrations?: string
}

/** Milliseconds for which an answer of the database is cached, so that clients cannot keep it busy. */
const CACHE_TIME = 500

/** Creates the health endpoints of a process. */
export function createHealth(options: HealthOptions): Health {
  return new ProcessHealth(options)
}

class ProcessHealth implements Health {
  readonly #options: HealthOptions
  #draining = false
  /** The last check of the database, and the time of its answer. */
  #check: Promise<DatabaseProblem | null> | null = null
  #answeredAt = 0
  /** The last logged reason. */
  #lastLogged: string | null = null

  constructor(options: HealthOptions) {
    this.#options = options
  }

  readonly answer = ({ method, path }: Request): Promise<Reply> | null => {
    const { up, ready } = this.#options.paths
    if ((path !== up && path !== ready) || (method !== 'GET' && method !== 'HEAD')) return null
    return path === up ? UP : this.ready().then(readyReply)
  }

  async ready(): Promise<Readiness> {
    const { release, migrated, unbuilt } = this.#options
    const built = release === null ? {} : { release }
    if (this.#draining) return { status: 'not ready', reason: 'the server is stopping', ...built }
    if (unbuilt?.() === true) return { status: 'not ready', reason: 'no build of the site is served yet', ...built }
    const problem = await this.#database()
    this.#log(problem)
    if (problem?.isReadable === false) return { status: 'not ready', reason: problem.message, ...built }
    return {
      status: 'ready',
      ...built,
      database: problem === null ? 'ok' : 'read-only',
      migrations: migrated() ? 'done' : 'some have failed, see the log',
    }
  }

  drain(): void {
    this.#draining = true
  }

  #database(): Promise<DatabaseProblem | null> {
    if (this.#check !== null && performance.now() - this.#answeredAt < CACHE_TIME) return this.#check
    const check = this.#options.database.problem().finally(() => {
      this.#answeredAt = performance.now()
    })
    this.#check = check
    // Requests that come before the answer wait for the same check.
    this.#answeredAt = Number.POSITIVE_INFINITY
    return check
  }

  #log(problem: DatabaseProblem | null): void {
    const reason = problem?.message ?? null
    if (reason === this.#lastLogged) return
    this.#lastLogged = reason
    if (problem === null) this.#options.log.info({}, 'ready again')
    else
      this.#options.log.warn(
        { reason: problem.logged },
        `${problem.isReadable ? 'ready for requests that only read' : 'not ready'}: ${problem.message}`,
      )
  }
}

const HEADERS = { ...SECURITY_HEADERS, 'cache-control': 'no-store' }

/** The response of a live process. */
export const UP: Promise<Reply> = Promise.resolve({
  status: 200,
  headers: { ...HEADERS, 'content-type': 'text/plain; charset=utf-8' },
  body: 'up\n',
})

/** Creates the response for a state. */
export function readyReply(state: Readiness): Reply {
  const status = state.status === 'ready' ? 200 : 503
  return { status, headers: { ...HEADERS, 'content-type': 'application/json' }, body: `${JSON.stringify(state)}\n` }
}

/**
 * Returns sentences about pages that cannot be reached, because the server itself answers at their paths. It does so even if there is such
 * a page, because monitoring must get the state of the server, not a page.
 * @param paths paths of the server by the variables that set them
 */
export function hiddenPages(pages: readonly PageEntry[], paths: Readonly<Record<string, string>>): readonly string[] {
  const addresses = new Map(pages.map((page) => [`/${page.slug.replace(/^\/+/, '')}`, page.file]))
  return Object.entries(paths).flatMap(([variable, path]) => {
    const file = addresses.get(path)
    if (file === undefined) return []
    return [`${file} cannot be reached, because the server itself answers at ${path}: set ${variable} to another path.`]
  })
}
