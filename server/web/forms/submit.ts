/**
 * Submits a form, from checking its policies to rendering its messages. The order of the steps is part of the language.
 */
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
import { identifyUploader } from '../files/uploader.ts'
import { storeFiles } from './store-files.ts'
import { loadResource, type Resource } from './load.ts'
import {
  type SubmittedForm,
  singleError,
  type FormDependencies,
  freshState,
  NO_ERRORS,
  type SubmitResult,
  type Submission,
  type FormTexts,
} from './model.ts'
import { createJobs, queuesJobs } from './follow-up-jobs.ts'
import { softDelete, save, type SaveResult } from './save.ts'
import { mergeValues, formScope, createSnapshot } from './snapshot.ts'
import { findSourcePage } from './source-page.ts'
import { createUniqueness } from './unique.ts'

/**
 * Submits a form.
 * @throws LiquidFault, and QueryError for failures that the sender cannot fix
 */
export async function submit(
  dependencies: FormDependencies,
  visit: Visit,
  submission: Submission,
): Promise<SubmitResult> {
  const { form, operation, raw } = submission
  const input = operation === 'delete' ? { values: null } : readInput(form, raw, uploadedFiles(visit))
  if ('problem' in input) return { kind: 'malformed', problem: input.problem }
  const render = lazyRender(dependencies, visit)
  const policyResult = form.policies.length === 0 ? null : await runPolicies(dependencies, visit, form, render())
  if (policyResult !== null) return policyResult
  const { data } = visit
  if (data === null) throw new UnavailableFault('this server has no database for forms')
  const query = data.query(submission.trusted ? null : (visit.session?.user?.id ?? null))
  const storedResource =
    submission.id === null ? null : await loadResource(query, form, submission.id, submission.table)
  if (submission.id !== null && (storedResource === null || !isOwner(submission, storedResource, query.viewer)))
    return { kind: 'missing' }
  if (input.values === null) return destroy(dependencies, visit, submission, query, storedResource, render)
  return new SubmissionRun(dependencies, visit, submission, query, storedResource, render).run(input.values)
}

/**
 * Returns a function that creates the render of a request on first use, because only Liquid and translations need it.
 */
function lazyRender({ host }: FormDependencies, visit: Visit): () => Render {
  let r: Render | null = null
  return () => {
    r ??= createRender(host, visit, null)
    return r
  }
}

/**
 * Returns the uploaded files of a request. JSON could imitate a file, so only objects that the body parser created
 * count as files.
 */
function uploadedFiles({ request: { parts: dependencies } }: Visit): ReadonlySet<unknown> {
  if (!dependencies) return NO_FILES
  return new Set(dependencies.map(({ value }) => value).filter((value): value is SentFile => typeof value === 'object'))
}

const NO_FILES: ReadonlySet<unknown> = new Set()

async function runPolicies(
  dependencies: FormDependencies,
  visit: Visit,
  form: FormEntry,
  r: Render,
): Promise<SubmitResult | null> {
  try {
    const reply = await checkPolicies(dependencies.host, visitOfFormPage(dependencies.host, visit), form.policies, r)
    return reply === null ? null : { kind: 'sent-away', reply }
  } catch (error) {
    if (error instanceof Forbidden) {
      const { status, policy, message } = error
      return { kind: 'forbidden', status, policy, reason: message }
    }
    throw error
  }
}

/**
 * Returns the visit as if it had requested the form's page, because policies send visitors back to that page after a sign-in.
 */
function visitOfFormPage(host: SiteHost, visit: Visit): Visit {
  const url = findSourcePage(host.loadedSite.site.pages, visit) ?? '/'
  return { ...visit, request: { ...visit.request, method: 'GET', url } }
}

function isOwner({ form, trusted }: Submission, storedResource: StoredResource, viewer: string | null): boolean {
  if (trusted || form.owner === 'anyone') return true
  if (viewer === null) return false
  return form.owner === 'self' && form.resource === 'user'
    ? storedResource.id === viewer
    : storedResource.userId === viewer
}

async function destroy(
  dependencies: FormDependencies,
  visit: Visit,
  { form }: Submission,
  query: QueryHost,
  storedResource: Resource | null,
  render: () => Render,
): Promise<SubmitResult> {
  // Without a session, there is nothing to end.
  if (form.resource === 'session') await visit.session?.signOut()
  else if (storedResource === null || !(await softDelete(query, { form }, storedResource.id)))
    return { kind: 'missing' }
  const state = freshState(storedResource)
  return finish(
    dependencies,
    visit,
    form,
    { id: storedResource?.id ?? null, state: () => state, changes: () => ({}) },
    render,
  )
}

/** The result of a submission. The state and the changes are computed on demand. */
interface Outcome {
  readonly id: string | null
  readonly state: () => FormState
  readonly changes: () => FieldChanges
}

/** Runs the follow-up steps of a successful submission. */
async function finish(
  { host }: FormDependencies,
  visit: Visit,
  form: FormEntry,
  { id, state, changes }: Outcome,
  render: () => Render,
): Promise<SubmittedForm> {
  const texts = lazyTexts(form, state, render, () => ({ changes: changes() }))
  if (form.callbackActions !== null) await texts.render(form.callbackActions)
  if (queuesJobs(form) && visit.data !== null) {
    const snapshot = (): FormSnapshot => createSnapshot(form, state(), changes())
    const origin = visit.data.origin()
    await visit.data.queue(await createJobs({ site: host.loadedSite.site, form, origin, texts, snapshot }))
  }
  return { kind: 'done', id, texts, changes }
}

function lazyTexts(
  form: FormEntry,
  state: () => FormState,
  render: () => Render,
  extraScope: () => Scope = () => ({}),
): FormTexts {
  let scope: Scope | null = null
  return {
    async render(setting) {
      if (setting === null) return ''
      const r = render()
      scope ??= formScope(form, state(), r, extraScope())
      return settingText(setting, r, scope)
    },
  }
}

function lazy<T>(create: () => T): () => T {
  let cached: { readonly value: T } | null = null
  return () => {
    cached ??= { value: create() }
    return cached.value
  }
}

const HAS_DEFAULTS = new WeakMap<FormEntry, boolean>()

/** Returns whether a field must be restored or filled in before validation. */
function hasDefaults(form: FormEntry): boolean {
  let cached = HAS_DEFAULTS.get(form)
  if (cached === undefined) {
    cached = inGroup(form.fields)
    HAS_DEFAULTS.set(form, cached)
  }
  return cached
}

function inGroup({ attributes, properties, nested }: FieldGroup): boolean {
  const hasOwnDefaults = [...attributes, ...properties].some((field) => field.readonly || field.default !== null)
  return hasOwnDefaults || nested.some(({ fields }) => inGroup(fields))
}

type SavedResource = SaveResult & { kind: 'saved' }

/** A create or update in progress. */
class SubmissionRun {
  readonly #dependencies: FormDependencies
  readonly #visit: Visit
  readonly #form: FormEntry
  readonly #submission: Submission
  readonly #query: QueryHost
  readonly #stored: Resource | null
  readonly #render: () => Render

  constructor(
    dependencies: FormDependencies,
    visit: Visit,
    submission: Submission,
    query: QueryHost,
    storedResource: Resource | null,
    render: () => Render,
  ) {
    this.#dependencies = dependencies
    this.#visit = visit
    this.#form = submission.form
    this.#submission = submission
    this.#query = query
    this.#stored = storedResource
    this.#render = render
  }

  async run(submitted: Values): Promise<SubmitResult> {
    const form = this.#form
    const withPayload =
      form.defaultPayload === null ? submitted : await this.#mergeDefaultPayload(submitted, form.defaultPayload)
    const values = hasDefaults(form)
      ? await completeValues(form, this.#createState(withPayload), this.#render())
      : withPayload
    const state = this.#createState(values)
    if (this.#requiresChallenge && !(await this.#passesChallenge()))
      return this.#invalidResult(values, singleError('base', this.#errorMessage('challenge')))
    const { unique, checks } = createUniqueness(this.#query, form, this.#tableName(), this.#stored)
    const render = this.#render
    const validationHost: ValidationHost = {
      get r() {
        return render()
      },
      on: this.#stored === null ? 'create' : 'update',
      unique,
    }
    const errors = await validate(form, state, validationHost)
    if (errors.size > 0) return this.#invalidResult(values, errors)
    if (form.resource === 'session') return this.#signIn(values)
    const result = await this.#save(values, checks)
    if (result.kind === 'gone') return { kind: 'missing' }
    if (result.kind === 'limited') return result
    if (result.kind === 'refused') return this.#invalidResult(values, result.errors)
    const stateAfter = lazy(() => this.#stateAfter(values, result))
    return this.#finish(result.id, stateAfter, () => changesOf(form, state))
  }

  #stateAfter(values: Values, { id, times }: SavedResource): FormState {
    const storedValues = this.#stored === null ? values : mergeValues(this.#stored, values)
    const withTimes = mergeValues(storedValues, { attributes: times, properties: {}, nested: {} })
    const resource: StoredResource = { id, userId: this.#stored?.userId ?? this.#query.viewer, ...withTimes }
    return { storedResource: resource, sentValues: values, errors: NO_ERRORS }
  }

  #createState(values: Values, errors: FormErrors = NO_ERRORS): FormState {
    return { storedResource: this.#stored, sentValues: values, errors }
  }

  #tableName(): string | null {
    return this.#stored?.table ?? this.#submission.table
  }

  #invalidResult(values: Values, errors: FormErrors): SubmitResult {
    const state = this.#createState(values, errors)
    return { kind: 'invalid', state, texts: lazyTexts(this.#form, () => state, this.#render) }
  }

  async #mergeDefaultPayload(values: Values, payload: Setting): Promise<Values> {
    const r = this.#render()
    const scope = formScope(this.#form, this.#createState(values), r, { params: this.#payloadParams() })
    return mergePayload(this.#form, values, await evaluateSetting(payload, () => r, scope))
  }

  /**
   * Returns the request parameters with the form's own fields merged over them. Payloads read both through `params`.
   */
  #payloadParams(): HashValue {
    const { raw } = this.#submission
    const formFields = isHash(raw) ? plainParams(raw) : {}
    return makeHash([...entries(plainParams(this.#visit.params)), ...entries(formFields)])
  }

  /** Whether a spam challenge must be passed. API clients with a token are exempt. */
  get #requiresChallenge(): boolean {
    return this.#form.spamProtection !== null && !this.#submission.trusted && this.#visit.bearer === undefined
  }

  async #passesChallenge(): Promise<boolean> {
    const { spamProtection } = this.#form
    const { challenge } = this.#dependencies
    if (spamProtection === null || challenge === null) return false
    return challenge.verify(spamProtection, this.#visit.params, this.#visit.request.ip)
  }

  async #save(values: Values, checks: ReturnType<typeof createUniqueness>['checks']) {
    const { files } = this.#dependencies
    const toStore = storableValues(this.#form, values)
    const password = this.#form.resource === 'user' ? toStore.attributes['password'] : null
    const passwordHash = typeof password === 'string' && password !== '' ? await this.#hashPassword(password) : null
    if (typeof passwordHash === 'object' && passwordHash !== null) return passwordHash
    const storing = storeFiles(files, this.#query.catalog, {
      form: this.#form,
      table: this.#tableName(),
      values: toStore,
      storedValues: this.#stored,
      uploader: identifyUploader(this.#visit),
    })
    const stored = storing instanceof Promise ? await storing : storing
    let isSaved = false
    try {
      if (stored.problems.size > 0) return { kind: 'refused', errors: this.#errorMessages(stored.problems) } as const
      const saved = await save({
        query: this.#query,
        form: this.#form,
        table: this.#tableName(),
        storedResource: this.#stored,
        values: toStore,
        files: stored.files,
        claimed: stored.claimed,
        passwordHash,
        presentSession: this.#visit.session?.row ?? null,
        checks,
      })
      isSaved = saved.kind === 'saved'
      if (saved.kind !== 'refused') return saved
      return { kind: 'refused', errors: this.#errorMessages(saved.problems) } as const
    } finally {
      if (!isSaved && stored.files.size > 0) await files?.drop([...stored.files.values()])
    }
  }

  /** Hashes a password. Returns `limited` when the visitor's network has created too many users or must wait. */
  async #hashPassword(password: string): Promise<string | { readonly kind: 'limited'; readonly retryAfter: number }> {
    const { session } = this.#visit
    if (this.#stored === null && session !== null) {
      const allowance = await session.signUp()
      if (allowance !== 'free') return { kind: 'limited', retryAfter: allowance.retryAfter }
    }
    try {
      return await this.#dependencies.hashPassword(password, session?.network ?? null)
    } catch (error) {
      if (error instanceof Crowded) return { kind: 'limited', retryAfter: error.retryAfter }
      throw error
    }
  }

  /** Returns error messages by field path in the visitor's language. */
  #errorMessages(problems: ReadonlyMap<string, ValidationProblem>): FormErrors {
    const r = this.#render()
    return new Map(
      [...problems].map(([path, problem]) => [
        path,
        [messageOf(r, problem, path.slice(path.lastIndexOf('.') + 1), null, null)],
      ]),
    )
  }

  /** Returns a message in the visitor's language. */
  #errorMessage(key: string, field = 'base'): string {
    return messageOf(this.#render(), { key }, field, null, null)
  }

  async #signIn(values: Values): Promise<SubmitResult> {
    const { session, request } = this.#visit
    if (session === null) throw new LiquidFault('this server keeps no sessions')
    // Checked before the password, so that another site cannot use up its visitors' sign-in attempts.
    if (!session.admitsSignIn()) return { kind: 'foreign' }
    // Without a valid CSRF token, another site could sign its visitors in as a user of its choice.
    if (!this.#submission.trusted && !session.csrfValid)
      return this.#invalidResult(values, singleError('base', this.#errorMessage('page_expired')))
    const { email, password } = values.attributes
    const credentials = [email, password].map((value) => (typeof value === 'string' ? value : ''))
    const outcome = await this.#dependencies.signIn(
      credentials[0] ?? '',
      credentials[1] ?? '',
      request.ip,
      session.device,
    )
    if ('refused' in outcome) {
      if (outcome.refused === 'limited') return { kind: 'limited', retryAfter: outcome.retryAfter }
      return this.#invalidResult(values, singleError('password', this.#errorMessage('invalid', 'password')))
    }
    await session.signIn(outcome.user, isRemembered(this.#form, values) ? null : UNREMEMBERED_MINUTES)
    const state = this.#createState(values)
    return this.#finish(
      state.storedResource?.id ?? null,
      () => state,
      () => ({}),
    )
  }

  #finish(id: string | null, state: () => FormState, changes: () => FieldChanges): Promise<SubmittedForm> {
    return finish(this.#dependencies, this.#visit, this.#form, { id, state, changes }, this.#render)
  }
}
