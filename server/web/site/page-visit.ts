/** The visit of a browser, or of a client with a token of a user, to a page. */
import type { Request } from '../http/message.ts'
import type { Params } from '../http/params.ts'
import type { FailedForm, RequestData, SharedVisitState, SiteHost, Visit, VisitToken } from './host.ts'
import { recordVisitor } from './recorded.ts'
import { refusedFor } from './refused-form.ts'
import type { Session } from './session.ts'

/** A visit whose data is opened on first use. A page that needs no data never opens it. */
export class PageVisit implements Visit {
  readonly sharedState: SharedVisitState = { context: null }
  readonly job = null
  readonly bearer?: VisitToken
  /** The user at the start of the request. Queries use this user, whatever a template changes. */
  readonly #viewer: string | null
  readonly #open: SiteHost['data']
  /** The data if it was opened, otherwise null. */
  opened: RequestData | null = null

  constructor(
    { data }: Pick<SiteHost, 'data'>,
    readonly request: Request,
    readonly params: Params,
    readonly session: Session | null,
    readonly failedForm: FailedForm | null = session === null ? null : refusedFor(session, request),
    bearer: VisitToken | null = null,
  ) {
    if (bearer !== null) this.bearer = bearer
    this.#viewer = session?.user?.id ?? null
    this.#open = data
    recordVisitor(this)
  }

  get data(): RequestData | null {
    this.opened ??= this.#open === null ? null : this.#open(this.#viewer, this.session, () => this)
    return this.opened
  }

  /** Returns the same visit with its data and its refused form, after the session could not be written. */
  withoutSession(host: Pick<SiteHost, 'data'>): PageVisit {
    const visit = new PageVisit(host, this.request, this.params, null, this.failedForm)
    visit.opened = this.opened
    return visit
  }
}
