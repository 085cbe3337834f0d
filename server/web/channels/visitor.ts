/** The visitor of a WebSocket: each partial of a channel runs as a new visit with the cookies of the handshake. */
import { createRequest, type Request } from '../http/message.ts'
import { isForeign } from '../http/foreign.ts'
import { type Params, queryParams } from '../http/params.ts'
import { identifyUser, sentUserToken } from '../accounts/user-token.ts'
import type { SiteHost, VisitToken } from '../site/host.ts'
import { PageVisit } from '../site/page-visit.ts'
import type { Session } from '../site/session.ts'
import { openUserSession } from '../site/user-session.ts'
import type { Bearer } from '../../data/store/tokens.ts'

/** Returns the owner of a token of a user; null for an invalid one. */
export type FindBearer = (token: string, request: Request) => Bearer | null | Promise<Bearer | null>

/** A session that was opened for one event. */
interface OpenedSession {
  readonly session: Session
  readonly bearer: VisitToken | null
}

/** Why a client may not connect, as a part of a sentence for developers. */
export interface Unauthorized {
  readonly reason: string
}

export class SocketVisitor {
  /** The request of the handshake. It may change data, and its URL contains no CSRF token. */
  readonly request: Request
  /** Parameters of the URL, without the CSRF token. */
  readonly params: Params
  /** Whether a page of another site has opened the socket. */
  readonly isForeign: boolean
  readonly #token: unknown
  readonly #bearer: FindBearer

  /**
   * @throws BadRequest
   */
  constructor(request: Request, isOwnHost: (host: string) => boolean, bearer: FindBearer) {
    const { authenticity_token: token, ...params } = queryParams(request)
    const query = request.query.replaceAll(/(^|&)authenticity_token=[^&]*/g, '').replace(/^&/, '')
    const url = query === '' ? request.path : `${request.path}?${query}`
    this.request = createRequest({ ...request, method: 'POST', url })
    this.params = params
    this.isForeign = isForeign(this.request, isOwnHost)
    this.#token = token
    this.#bearer = bearer
  }

  /**
   * Opens the session of the visitor.
   * @param needsToken whether the CSRF token of the handshake is checked. It is always checked for pages of other sites
   * @throws SessionsAway
   */
  async open(host: SiteHost, needsToken: boolean): Promise<OpenedSession | Unauthorized> {
    const userToken = sentUserToken(this.request)
    if (userToken !== null) {
      const user = await identifyUser(host, this.request, () => this.#bearer(userToken, this.request))
      return 'refusal' in user ? { reason: 'the token of the user is not valid' } : user
    }
    if (host.sessions === null) return { reason: 'the server has no sessions' }
    const method = needsToken || this.isForeign ? 'POST' : 'GET'
    const session = await host.sessions({ ...this.request, method }, { authenticity_token: this.#token })
    if (needsToken && !session.csrfValid) {
      const problem = session.tokenProblem ?? 'it has no session with a CSRF token'
      return { reason: `${problem} (\`websockets_require_csrf_token\` in app/config.yml)` }
    }
    return { session, bearer: null }
  }

  /** Returns the visit of one event. */
  visit(host: SiteHost, { session, bearer }: OpenedSession, params: Params): PageVisit {
    return new PageVisit(host, this.request, { ...this.params, ...params }, session, null, bearer)
  }

  /**
   * Returns the visit of an event after the client has left. Its session may have ended, so it acts as the known user.
   * @param user null for a visitor who was not signed in
   * @throws SessionsAway
   */
  async lateVisit(host: SiteHost, user: string | null, params: Params): Promise<PageVisit> {
    const session = user === null ? null : await openUserSession(host, this.request, user)
    return new PageVisit(host, this.request, { ...this.params, ...params }, session, null)
  }
}
