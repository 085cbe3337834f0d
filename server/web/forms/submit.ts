/** Submits a form, from its policies to its messages. The language defines the order of the steps. */
import {
  type FieldChanges,
  changesOf,
  completeValues,
  isRemembered,
  mergePayload,
  messageOf,
  readInput,
  storableValues,
  validate,
} from '../../../runtime/data/forms/index.ts'
import type { ValidationProblem } from '../../../runtime/data/forms/messages.ts'
import type {
  ValidationHost,
  FormErrors,
  FormState,
  StoredResource,
  Values,
} from '../../../runtime/data/forms/model.ts'
import type { QueryHost } from '../../../runtime/data/query/host.ts'
import { LiquidFault, UnavailableFault } from '../../../runtime/page/fault.ts'
import type { FormSnapshot } from '../../../runtime/data/jobs.ts'
import type { Render } from '../../../runtime/page/render.ts'
import type { FieldGroup, FormEntry, Scope, Setting } from '../../../runtime/page/site.ts'
import { entries, type HashValue, isHash, makeHash } from '../../../runtime/page/values/hash.ts'
import type { SentFile } from '../http/message.ts'
import { plainParams } from '../http/params.ts'
import { Crowded, UNREMEMBERED_MINUTES } from '../site/session.ts'
import { checkPolicies, createRender, Forbidden } from '../site/render-page.ts'
import type { SiteHost, Visit } from '../site/host.ts'
import { evaluateSetting, settingText } from '../site/setting.ts'
import { uploaderOf } from '../files/uploader.ts'
import { keepFiles } from './keep-files.ts'
import { loadResource, type Resource } from './load.ts'
import {
  type SubmittedForm,
  errorAt,
  type FormParts,
  freshState,
  NO_ERRORS,
  type SubmitResult,
  type Submission,
  type FormTexts,
} from './model.ts'
import { jobsOf, queuesJobs } from './queue.ts'
import { remove, save, type SaveResult } from './save.ts'
import { overlay, scopeOf, snapshotOf } from './snapshot.ts'
import { pageOf } from './target.ts'
import { createUniqueness } from './unique.ts'

/**
 * Submits a form.
 * @throws LiquidFault, QueryError for failures that the sender cannot fix
 */
export async function submit(parts: FormParts, visit: Visit, submission: Submission): Promise<SubmitResult> {
  const { form, operation, raw } = submission
  const input = operation === 'delete' ? { values: null } : readInput(form, raw, sentFiles(visit))
  if ('problem' in input) return { kind: 'malformed', problem: input.problem }
  const render = lazyRender(parts, visit)
  const refused = form.policies.length === 0 ? null : await policies(parts, visit, form, render())
  if (refused !== null) return refused
  const { data } = visit
  if (data === null) throw new UnavailableFault('this server has no database for forms')
  const query = data.query(submission.trusted ? null : (visit.session?.user?.id ?? null))
  const stored = submission.id === null ? null : await loadResource(query, form, submission.id, submission.table)
  if (submission.id !== null && (stored === null || !isOwner(submission, stored, query.viewer)))
    return { kind: 'missing' }
  if (input.values === null) return destroy(parts, visit, submission, query, stored, render)
  return new Attempt(parts, visit, submission, query, stored, render).run(input.values)
}

/** Creates the render of a request on first use: only Liquid and translations need it. */
function lazyRender({ host }: FormParts, visit: Visit): () => Render {
  let r: Render | null = null
  return () => {
    r ??= createRender(host, visit, null)
    return r
  }
}

/** JSON could imitate a file, so only objects that the body parser created count as files. */
function sentFiles({ request: { parts } }: Visit): ReadonlySet<unknown> {
  if (!parts) return NO_FILES
  return new Set(parts.map(({ value }) => value).filter((value): value is SentFile => typeof value === 'object'))
}

const NO_FILES: ReadonlySet<unknown> = new Set()

async function policies(parts: FormParts, visit: Visit, form: FormEntry, r: Render): Promise<SubmitResult | null> {
  try {
    const reply = await checkPolicies(parts.host, visitOfFormPage(parts.host, visit), form.policies, r)
    return reply === null ? null : { kind: 'sent-away', reply }
  } catch (error) {
    if (error instanceof Forbidden) return { kind: 'forbidden', status: error.status, policy: error.policy }
    throw error
  }
}

/** The visit as a visit to the form's page: policies send visitors who must sign in back to that page. */
function visitOfFormPage(host: SiteHost, visit: Visit): Visit {
  const url = pageOf(host.loaded.site.pages, visit) ?? '/'
  return { ...visit, request: { ...visit.request, url } }
}

function isOwner({ form, trusted }: Submission, stored: StoredResource, viewer: string | null): boolean {
  if (trusted || form.owner === 'anyone') return true
  if (viewer === null) return false
  return form.owner === 'self' && form.resource === 'user' ? stored.id === viewer : stored.userId === viewer
}

async function destroy(
  parts: FormParts,
  visit: Visit,
  { form }: Submission,
  query: QueryHost,
  stored: Resource | null,
  render: () => Render,
): Promise<SubmitResult> {
  // A visitor without a session has nothing to end.
  if (form.resource === 'session') await visit.session?.signOut()
  else if (stored === null || !(await remove(query, { form }, stored.id))) return { kind: 'missing' }
  const state = freshState(stored)
  return finish(parts, visit, form, { id: stored?.id ?? null, state: () => state, changes: () => ({}) }, render)
}

/** What a submission has done. The state and the changes are made where they are shown. */
interface Done {
  readonly id: string | null
  readonly state: () => FormState
  readonly changes: () => FieldChanges
}

/** Runs what follows a successful submission. */
async function finish(
  { host }: FormParts,
  visit: Visit,
  form: FormEntry,
  { id, state, changes }: Done,
  render: () => Render,
): Promise<SubmittedForm> {
  const texts = textsOf(form, state, render, () => ({ changes: changes() }))
  if (form.callbackActions !== null) await texts.of(form.callbackActions)
  if (queuesJobs(form) && visit.data !== null) {
    const snapshot = (): FormSnapshot => snapshotOf(form, state(), changes())
    const origin = visit.data.origin()
    await visit.data.queue(await jobsOf({ site: host.loaded.site, form, origin, texts, snapshot }))
  }
  return { kind: 'done', id, texts, changes }
}

function textsOf(
  form: FormEntry,
  state: () => FormState,
  render: () => Render,
  more: () => Scope = () => ({}),
): FormTexts {
  let scope: Scope | null = null
  return {
    async of(setting) {
      if (setting === null) return ''
      const r = render()
      scope ??= scopeOf(form, state(), r, more())
      return settingText(setting, r, scope)
    },
  }
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

const DEFAULTS = new WeakMap<FormEntry, boolean>()

/** Whether anything must be restored or filled in before validation. */
function hasDefaults(form: FormEntry): boolean {
  let known = DEFAULTS.get(form)
  if (known === undefined) {
    known = inGroup(form.fields)
    DEFAULTS.set(form, known)
  }
  return known
}

function inGroup({ attributes, properties, nested }: FieldGroup): boolean {
  const own = [...attributes, ...properties].some((field) => field.readonly || field.default !== null)
  return own || nested.some(({ fields }) => inGroup(fields))
}

type SavedResource = SaveResult & { kind: 'saved' }

/** One create or update in progress. */
class Attempt {
  readonly #parts: FormParts
  readonly #visit: Visit
  readonly #form: FormEntry
  readonly #submission: Submission
  readonly #query: QueryHost
  readonly #stored: Resource | null
  readonly #render: () => Render

  constructor(
    parts: FormParts,
    visit: Visit,
    submission: Submission,
    query: QueryHost,
    stored: Resource | null,
    render: () => Render,
  ) {
    this.#parts = parts
    this.#visit = visit
    this.#form = submission.form
    this.#submission = submission
    this.#query = query
    this.#stored = stored
    this.#render = render
  }

  async run(sent: Values): Promise<SubmitResult> {
    const form = this.#form
    const given = form.defaultPayload === null ? sent : await this.#withPayload(sent, form.defaultPayload)
    const values = hasDefaults(form) ? await completeValues(form, this.#state(given), this.#render()) : given
    const state = this.#state(values)
    if (this.#isChallenged && !(await this.#passesChallenge()))
      return this.#invalid(values, errorAt('base', this.#message('challenge')))
    const { unique, checks } = createUniqueness(this.#query, form, this.#table(), this.#stored)
    const render = this.#render
    const checking: ValidationHost = {
      get r() {
        return render()
      },
      on: this.#stored === null ? 'create' : 'update',
      unique,
    }
    const errors = await validate(form, state, checking)
    if (errors.size > 0) return this.#invalid(values, errors)
    if (form.resource === 'session') return this.#signIn(values)
    const saved = await this.#save(values, checks)
    if (saved.kind === 'gone') return { kind: 'missing' }
    if (saved.kind === 'limited') return saved
    if (saved.kind === 'refused') return this.#invalid(values, saved.errors)
    const after = once(() => this.#after(values, saved))
    return this.#done(saved.id, after, () => changesOf(form, state))
  }

  #after(values: Values, { id, times }: SavedResource): FormState {
    const stored = this.#stored === null ? values : overlay(this.#stored, values)
    const timed = overlay(stored, { attributes: times, properties: {}, nested: {} })
    const after: StoredResource = { id, userId: this.#stored?.userId ?? this.#query.viewer, ...timed }
    return { stored: after, sent: values, errors: NO_ERRORS }
  }

  #state(sent: Values, errors: FormErrors = NO_ERRORS): FormState {
    return { stored: this.#stored, sent, errors }
  }

  #table(): string | null {
    return this.#stored?.table ?? this.#submission.table
  }

  #invalid(values: Values, errors: FormErrors): SubmitResult {
    const state = this.#state(values, errors)
    return { kind: 'invalid', state, texts: textsOf(this.#form, () => state, this.#render) }
  }

  async #withPayload(sent: Values, payload: Setting): Promise<Values> {
    const r = this.#render()
    const scope = scopeOf(this.#form, this.#state(sent), r, { params: this.#params() })
    return mergePayload(this.#form, sent, await evaluateSetting(payload, () => r, scope))
  }

  /** The form as sent, merged over the request's other parameters: payloads read both through `params`. */
  #params(): HashValue {
    const { raw } = this.#submission
    const own = isHash(raw) ? plainParams(raw) : {}
    return makeHash([...entries(plainParams(this.#visit.params)), ...entries(own)])
  }

  /** Whether there is a spam challenge to pass. Clients with a token are exempt. */
  get #isChallenged(): boolean {
    return this.#form.spamProtection !== null && !this.#submission.trusted
  }

  async #passesChallenge(): Promise<boolean> {
    const { spamProtection } = this.#form
    const { challenge } = this.#parts
    if (spamProtection === null || challenge === null) return false
    return challenge.verify(spamProtection, this.#visit.params, this.#visit.request.ip)
  }

  async #save(values: Values, checks: ReturnType<typeof createUniqueness>['checks']) {
    const { files } = this.#parts
    const toStore = storableValues(this.#form, values)
    const password = this.#form.resource === 'user' ? toStore.attributes['password'] : null
    const passwordHash = typeof password === 'string' && password !== '' ? await this.#hashOf(password) : null
    if (typeof passwordHash === 'object' && passwordHash !== null) return passwordHash
    const keeping = keepFiles(files, this.#query.catalog, {
      form: this.#form,
      table: this.#table(),
      values: toStore,
      stored: this.#stored,
      uploader: uploaderOf(this.#visit),
    })
    const kept = keeping instanceof Promise ? await keeping : keeping
    let isKept = false
    try {
      if (kept.refused.size > 0) return { kind: 'refused', errors: this.#messages(kept.refused) } as const
      const saved = await save({
        query: this.#query,
        form: this.#form,
        table: this.#table(),
        stored: this.#stored,
        values: toStore,
        files: kept.files,
        taken: kept.taken,
        passwordHash,
        presentSession: this.#visit.session?.row ?? null,
        checks,
      })
      isKept = saved.kind === 'saved'
      if (saved.kind !== 'refused') return saved
      return { kind: 'refused', errors: this.#messages(saved.problems) } as const
    } finally {
      if (!isKept && kept.files.size > 0) await files?.drop([...kept.files.values()])
    }
  }

  /** The hash of a password to store; `limited` when the visitor's network has created too many users, or must wait. */
  async #hashOf(password: string): Promise<string | { readonly kind: 'limited'; readonly retryAfter: number }> {
    const { session } = this.#visit
    if (this.#stored === null && session !== null) {
      const free = await session.signUp()
      if (free !== 'free') return { kind: 'limited', retryAfter: free.retryAfter }
    }
    try {
      return await this.#parts.hashPassword(password, session?.network ?? null)
    } catch (error) {
      if (error instanceof Crowded) return { kind: 'limited', retryAfter: error.retryAfter }
      throw error
    }
  }

  /** Error messages by field path, in the visitor's language. */
  #messages(problems: ReadonlyMap<string, ValidationProblem>): FormErrors {
    const r = this.#render()
    return new Map(
      [...problems].map(([path, problem]) => [
        path,
        [messageOf(r, problem, path.slice(path.lastIndexOf('.') + 1), null, null)],
      ]),
    )
  }

  /** A message in the visitor's language. */
  #message(key: string, field = 'base'): string {
    return messageOf(this.#render(), { key }, field, null, null)
  }

  async #signIn(values: Values): Promise<SubmitResult> {
    const { session, request } = this.#visit
    if (session === null) throw new LiquidFault('this server keeps no sessions')
    // Asked before the password, so that another site cannot use up the attempts of its visitors.
    if (!session.admitsSignIn()) return { kind: 'foreign' }
    // Without a valid CSRF token, another site could sign its visitor in as a user of its choice.
    if (!this.#submission.trusted && !session.csrfValid)
      return this.#invalid(values, errorAt('base', this.#message('page_expired')))
    const { email, password } = values.attributes
    const credentials = [email, password].map((value) => (typeof value === 'string' ? value : ''))
    const outcome = await this.#parts.signIn(credentials[0] ?? '', credentials[1] ?? '', request.ip, session.device)
    if ('refused' in outcome) {
      if (outcome.refused === 'limited') return { kind: 'limited', retryAfter: outcome.retryAfter }
      return this.#invalid(values, errorAt('password', this.#message('invalid', 'password')))
    }
    await session.signIn(outcome.user, isRemembered(this.#form, values) ? null : UNREMEMBERED_MINUTES)
    const state = this.#state(values)
    return this.#done(
      state.stored?.id ?? null,
      () => state,
      () => ({}),
    )
  }

  #done(id: string | null, state: () => FormState, changes: () => FieldChanges): Promise<SubmittedForm> {
    return finish(this.#parts, this.#visit, this.#form, { id, state, changes }, this.#render)
  }
}
