/** What load balancers and orchestrators ask of a process: whether it lives, and whether requests may be sent to it. */
import type { PageEntry } from '../../../runtime/page/site.ts'
import type { Reply, Request } from '../../web/http/message.ts'

export interface HealthPaths {
  readonly up: string
  readonly ready: string
}

export interface HealthParts {
  readonly paths: HealthPaths
  /** Identifies the build that is served, null where it changes while it is served. */
  readonly release: string | null
  /** Whether all migrations of the site have run. */
  readonly migrated: () => boolean
  /** Whether no build is served yet, as when development begins. */
  readonly unbuilt?: () => boolean
  readonly database: DatabaseCheck
  readonly log: HealthLog
}

/** Asks the database whether it answers and has our tables. */
export interface DatabaseCheck {
  /** Why requests that need data cannot be answered, null when they can. Rejects never. */
  problem(): Promise<DatabaseProblem | null>
}

export interface DatabaseProblem {
  /** Told to everyone who asks: it names no address or user. */
  readonly told: string
  /** Told to the operator. */
  readonly logged: string
  /** Whether a copy answers, so that what only reads can be answered. */
  readonly isReadable: boolean
}

export interface HealthLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

export interface Health {
  /** The answer to a request for one of the paths; null for all others. */
  answer(request: Request): Promise<Reply> | null
  /** Whether requests may be sent here. */
  ready(): Promise<Readiness>
  /** From now on the process says that it is not ready. */
  drain(): void
}

/** What `ready` answers, as JSON. */
export interface Readiness {
  readonly status: 'ready' | 'not ready'
  /** Why it is not ready. */
  readonly reason?: string
  readonly release?: string
  /** `read-only`: the primary is away, and a copy answers what only reads. */
  readonly database?: 'ok' | 'read-only'
  readonly migrations?: string
}

/** Milliseconds for which an answer of the database is believed, so that nobody can keep it busy by asking. */
const FRESH = 500

/** Creates the answers of a process. */
export function createHealth(parts: HealthParts): Health {
  return new ProcessHealth(parts)
}

class ProcessHealth implements Health {
  readonly #parts: HealthParts
  #draining = false
  /** The last question to the database, and when it was answered. */
  #asked: Promise<DatabaseProblem | null> | null = null
  #answeredAt = 0
  /** The reason that was logged last. */
  #said: string | null = null

  constructor(parts: HealthParts) {
    this.#parts = parts
  }

  readonly answer = ({ method, path }: Request): Promise<Reply> | null => {
    const { up, ready } = this.#parts.paths
    if ((path !== up && path !== ready) || (method !== 'GET' && method !== 'HEAD')) return null
    return path === up ? UP : this.ready().then(readyReply)
  }

  async ready(): Promise<Readiness> {
    const { release, migrated, unbuilt } = this.#parts
    const built = release === null ? {} : { release }
    if (this.#draining) return { status: 'not ready', reason: 'the server is stopping', ...built }
    if (unbuilt?.() === true) return { status: 'not ready', reason: 'no build of the site is served yet', ...built }
    const problem = await this.#database()
    this.#tell(problem)
    if (problem?.isReadable === false) return { status: 'not ready', reason: problem.told, ...built }
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
    if (this.#asked !== null && performance.now() - this.#answeredAt < FRESH) return this.#asked
    const asked = this.#parts.database.problem().finally(() => {
      this.#answeredAt = performance.now()
    })
    this.#asked = asked
    // Whoever asks before the answer has come waits for the same one.
    this.#answeredAt = Number.POSITIVE_INFINITY
    return asked
  }

  #tell(problem: DatabaseProblem | null): void {
    const reason = problem?.told ?? null
    if (reason === this.#said) return
    this.#said = reason
    if (problem === null) this.#parts.log.info({}, 'ready again')
    else
      this.#parts.log.warn(
        { reason: problem.logged },
        `${problem.isReadable ? 'ready for what only reads' : 'not ready'}: ${problem.told}`,
      )
  }
}

const HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

/** The answer of who lives. */
export const UP: Promise<Reply> = Promise.resolve({
  status: 200,
  headers: { ...HEADERS, 'content-type': 'text/plain; charset=utf-8' },
  body: 'up\n',
})

/** The answer for a state. */
export function readyReply(state: Readiness): Reply {
  const status = state.status === 'ready' ? 200 : 503
  return { status, headers: { ...HEADERS, 'content-type': 'application/json' }, body: `${JSON.stringify(state)}\n` }
}

/**
 * Sentences about pages that nobody can reach, because the server answers at their addresses itself. It does so even
 * for a page of that name: what asks there must hear of the server, not of a page that may be old or cached.
 * @param paths addresses with the variable that moves each
 */
export function hiddenPages(pages: readonly PageEntry[], paths: Readonly<Record<string, string>>): readonly string[] {
  const addresses = new Map(pages.map((page) => [`/${page.slug.replace(/^\/+/, '')}`, page.file]))
  return Object.entries(paths).flatMap(([variable, path]) => {
    const file = addresses.get(path)
    if (file === undefined) return []
    return [`${file} is not reached: the server itself answers at ${path}. ${variable} gives another path.`]
  })
}
