/** Runs a plan: a query as one statement, mutations one after another and atomically. */
import { LiquidFault } from '../../page/fault.ts'
import { resolveDeferred } from './account-host.ts'
import { sourceValue } from './build.ts'
import { coerceVariables, type NullMeaning } from './coerce.ts'
import { namesFormInArguments, sendForm, submitForm, WRITTEN_VARIABLE } from './forms.ts'
import type { ExecutionResult, GraphqlError, QueryHost } from './host.ts'
import { introspect } from './introspection.ts'
import { type SourceRange, type Problem, QueryError, type Statement, valueError } from './model.ts'
import type { Plan } from './plan.ts'
import { MissingValueError, plainArguments, project } from './project.ts'
import { objectsOf } from './rows/json.ts'
import { CLIENTS_ONLY, type SiteChangeCall, SiteChangeError } from './change-model.ts'
import { remoteCollection } from './remote/collection.ts'
import { type RemoteContext, resolveRemoteParts } from './remote/part.ts'
import { type PreparedStatements, prepare, type Root } from './statement.ts'
import { isObject } from '../values/json-data.ts'

/** The default timeout of an operation, and the maximum timeout, in seconds. */
const TIMEOUT = 19
const MAX_TIMEOUT = 600

type Variables = Readonly<Record<string, unknown>>

/**
 * Runs an operation. Errors that the caller can correct, and invalid data of the site, are returned in `errors`. Other errors of the host
 * are thrown. Mutations are atomic, with one exception: before session fields and forms run, earlier writes are committed.
 * @param nullMeaning the meaning of null for a variable with a default
 */
export function execute(
  plan: Plan,
  givenVariables: Variables,
  host: QueryHost,
  nullMeaning: NullMeaning = 'default',
): Promise<ExecutionResult> {
  const { mismatch = 'error' } = host.options
  const {
    values,
    problems,
    omitted: omittedProblems,
  } = coerceVariables(plan.declaredVariables, givenVariables, nullMeaning, mismatch !== 'error')
  const result =
    problems.length > 0 ? Promise.resolve(failedResult(plan, problems, null)) : planAndRun(plan, values, host)
  if (omittedProblems.length === 0 || mismatch !== 'warning') return result
  const warnings = omittedProblems.map(({ message }) => message)
  return result.then((each) => ({ ...each, warnings }))
}

async function planAndRun(plan: Plan, values: Variables, host: QueryHost): Promise<ExecutionResult> {
  try {
    const prepared = prepare(plan, values, host.catalog, host.options)
    return plan.kind === 'query'
      ? await runQuery(plan, prepared, values, host)
      : await runMutations(plan, prepared, values, host)
  } catch (error) {
    if (error instanceof RootError) return failedResult(plan, error.problems, error.root)
    if (error instanceof QueryError) return failedResult(plan, error.problems, null)
    throw error
  }
}

/** A `QueryError` with the root field that caused it. */
class RootError extends QueryError {
  readonly root: Root

  constructor(problems: readonly Problem[], root: Root) {
    super(problems)
    this.root = root
  }
}

async function runQuery(
  plan: Plan,
  prepared: PreparedStatements,
  variables: Variables,
  host: QueryHost,
): Promise<ExecutionResult> {
  const { query, roots } = prepared
  const deadline = performance.now() + timeoutOf(prepared, variables) * 1000
  let rows: Readonly<Record<string, unknown>> = {}
  if (query !== null) {
    const replica = prepared.replicas?.every((source) => sourceValue(source, variables) === true) ?? false
    const timeout = timeoutOf(prepared, variables)
    try {
      const boundParameters = parametersOf(query, variables, host)
      const parameters = boundParameters instanceof Promise ? await boundParameters : boundParameters
      const result = await host.run(query.sql.withValues(parameters), { write: false, replica, timeout })
      const shapedResult =
        query.rows === null
          ? applyShape(query, parseResult(result), variables, host)
          : rowsAsResult(result, query.rows, variables, host)
      const completedResult = query.hasDeferred ? await completeDeferred(query, shapedResult, deadline) : shapedResult
      if (!isObject(completedResult)) throw new Error('A query statement returned no object.')
      rows = completedResult
    } catch (error) {
      throw attributeToRoot(onlyQuery(roots), error)
    }
  }
  // In the usual case all roots are queries, and the database has already built the result.
  if (query !== null && roots.every(({ kind }) => kind === 'query'))
    return withErrors(rows, await completeRemote(plan, prepared, rows, variables, host, deadline))
  const data = emptyData()
  const introspectionData = roots.some(({ kind }) => kind === 'introspection') ? introspect(plan, variables) : {}
  const faults: GraphqlError[] = []
  const absent = (fault: MissingValueError): void => void faults.push(missingValueGraphqlError(fault, plan.document))
  try {
    for (const root of roots) {
      if (root.kind === 'query') data[root.key] = rows[root.key] ?? null
      else if (root.kind === 'typename') data[root.key] = plan.root.name
      else if (root.kind === 'introspection') data[root.key] = introspectionData[root.key] ?? null
      else if (root.kind === 'remote') {
        const context = remoteContext(plan, variables, host, deadline)
        data[root.key] = await withRootErrors(root, () => remoteCollection(root.selected, context, absent))
      } else if (root.kind === 'site') {
        const { field, selected } = root
        data[root.key] = await withRootErrors(root, async () =>
          project(
            await field.value(plainArguments(selected.args, variables), host.site, host.effects),
            selected,
            absent,
          ).catch((error: unknown) => {
            throw error instanceof LiquidFault ? valueError(error.message) : error
          }),
        )
      }
    }
  } catch (error) {
    if (!(error instanceof MissingValueError)) throw error
    return { data: null, errors: [...faults, missingValueGraphqlError(error, plan.document)] }
  }
  faults.push(...(await completeRemote(plan, prepared, data, variables, host, deadline)))
  return withErrors(data, faults)
}

function withErrors(data: ExecutionResult['data'], errors: readonly GraphqlError[]): ExecutionResult {
  return errors.length === 0 ? { data } : { data, errors }
}

/** Asks other sites for the remote parts of a result. Returns the errors of parts that became null. */
async function completeRemote(
  plan: Plan,
  { hasRemote }: PreparedStatements,
  data: unknown,
  variables: Variables,
  host: QueryHost,
  deadline: number,
): Promise<readonly GraphqlError[]> {
  return hasRemote ? resolveRemoteParts(data, remoteContext(plan, variables, host, deadline)) : []
}

function remoteContext(
  { document }: Plan,
  variables: Variables,
  { effects, options }: QueryHost,
  deadline: number,
): RemoteContext {
  return {
    effects,
    variables,
    floats: options.floats === true,
    secondsLeft: () => (deadline - performance.now()) / 1000,
    toError: (problem, path) => ({ ...graphqlErrorOf(problem, document), path }),
    toMissingError: (fault) => missingValueGraphqlError(fault, document),
  }
}

type ResultRows = readonly (readonly unknown[])[]

/** Returns the parameters of an execution of a statement. */
function parametersOf(statement: Statement, variables: Variables, host: QueryHost): unknown[] | Promise<unknown[]> {
  const values = statement.values(variables, host.viewer, host)
  return statement.hasDeferred ? Promise.all(values) : values
}

/** Parses the result of a statement, which is one JSON text. */
function parseResult(rows: ResultRows): unknown {
  const text = rows[0]?.[0]
  return typeof text === 'string' ? JSON.parse(text) : text
}

function applyShape({ shape }: Statement, value: unknown, variables: Variables, host: QueryHost): unknown {
  return shape === null ? value : shape(value, host, variables)
}

/**
 * Completes a result that has asynchronously computed parts.
 * @param deadline in milliseconds of `performance.now()`
 */
function completeDeferred({ hasDeferred: later }: Statement, value: unknown, deadline: number): unknown {
  return later ? resolveDeferred(value, () => checkDeadline(deadline)) : value
}

/** @throws QueryError */
function checkDeadline(deadline: number): void {
  if (performance.now() < deadline) return
  const message = 'The operation exceeded its timeout.'
  throw valueError(message)
}

/** Returns the result of a statement that returns rows, as an object. */
function rowsAsResult(
  rows: ResultRows,
  { columns, shape, key, root }: NonNullable<Statement['rows']>,
  variables: Variables,
  host: QueryHost,
): Readonly<Record<string, unknown>> {
  const objects = objectsOf(rows[0] ?? [], columns)
  return { [root]: { [key]: shape === null ? objects : objects.map((object) => shape(object, host, variables)) } }
}

/** Returns an object without a prototype, because callers choose the keys, which may be `__proto__`. */
function emptyData(): Record<string, unknown> {
  return Object.create(null)
}

/** Returns the only root field of kind `query`. Null when there are several, because it is then unknown which field caused an error. */
function onlyQuery(roots: readonly Root[]): Root | null {
  const [only, other] = roots.filter(({ kind }) => kind === 'query')
  return other === undefined ? (only ?? null) : null
}

/** Runs `body` and attributes its errors to a root field. */
async function withRootErrors<T>(root: Root | null, body: () => Promise<T>): Promise<T> {
  try {
    return await body()
  } catch (error) {
    throw attributeToRoot(root, error)
  }
}

function attributeToRoot(root: Root | null, error: unknown): unknown {
  return root !== null && error instanceof QueryError ? new RootError(error.problems, root) : error
}

type EffectRoot = Extract<Root, { kind: 'effect' }>
/** A root field that runs in one transaction with the root fields next to it. */
type TransactionalRoot = Extract<Root, { kind: 'mutation' }> | EffectRoot

async function runMutations(
  plan: Plan,
  prepared: PreparedStatements,
  variables: Variables,
  host: QueryHost,
): Promise<ExecutionResult> {
  const deadline = performance.now() + timeoutOf(prepared, variables) * 1000
  const data = emptyData()
  let writes: TransactionalRoot[] = []
  const write = async (): Promise<void> => {
    if (writes.length > 0) await runWrites(writes, data, variables, host, deadline)
    writes = []
  }
  for (const root of prepared.roots) {
    // Sets the key first, so that keys are in the order of the document.
    data[root.key] = root.kind === 'typename' ? plan.root.name : null
    if (root.kind === 'mutation' || (root.kind === 'effect' && !root.field.isSlow)) writes.push(root)
    else if (root.kind === 'effect') {
      // Commits first, because the called service may read earlier writes.
      await write()
      data[root.key] = await withRootErrors(root, () => performEffect(root, variables, host))
    } else if (root.kind === 'session') {
      // Commits first, because signing in must see earlier writes and cannot be rolled back.
      await write()
      data[root.key] = await withRootErrors(root, () => performSessionField(root, variables, host, deadline))
    } else if (root.kind === 'form') {
      // Commits first, because a form uses its own transaction, and its callbacks must see earlier writes.
      await write()
      data[root.key] = await withRootErrors(root, async () => {
        const { route, args, range, statement } = root
        const plain = plainArguments(args, variables)
        const submissionResult =
          route === null
            ? await submitForm(plain, host, range)
            : { [WRITTEN_VARIABLE]: await sendForm(route, plain, host, range) }
        return readResult(statement, { ...variables, ...submissionResult }, host, deadline)
      })
    }
  }
  await write()
  const remoteErrors = await completeRemote(plan, prepared, data, variables, host, deadline)
  const changes = prepared.roots.filter((root) => root.kind === 'change')
  const errors = changes.length === 0 ? [] : await runChanges(changes, data, variables, host, plan.document)
  return withErrors(data, [...remoteErrors, ...errors])
}

/**
 * Changes files of the site: all changes together, after everything else is committed.
 * @returns errors of the results, which do not undo the changes
 */
async function runChanges(
  roots: readonly Extract<Root, { kind: 'change' }>[],
  data: Record<string, unknown>,
  variables: Variables,
  host: QueryHost,
  document: string,
): Promise<readonly GraphqlError[]> {
  const { effects, site } = host
  if (effects === null) throw valueError(CLIENTS_ONLY)
  const calls: SiteChangeCall[] = []
  for (const root of roots)
    calls.push(await withRootErrors(root, () => root.field.plan(plainArguments(root.selected.args, variables), site)))
  const changedSite = await effects.changeSite(calls.map(({ change }) => change)).catch((error: unknown) => {
    const refused = error instanceof SiteChangeError && error.change !== null ? roots[error.change] : undefined
    throw attributeToRoot(refused ?? (roots.length === 1 ? roots[0] : null) ?? null, error)
  })
  const errors: GraphqlError[] = []
  for (const [at, root] of roots.entries()) {
    try {
      const value = await calls[at]?.read(changedSite.site, changedSite.files[at] ?? [])
      const absent = (fault: MissingValueError): void => void errors.push(missingValueGraphqlError(fault, document))
      data[root.key] = await project(value, root.selected, absent)
    } catch (error) {
      // Settings of files may contain Liquid that fails outside of a request.
      if (!(error instanceof LiquidFault)) throw error
      errors.push(...valueError(error.message).problems.map((problem) => graphqlErrorOf(problem, document, root)))
    }
  }
  return errors
}

async function runWrites(
  roots: readonly TransactionalRoot[],
  data: Record<string, unknown>,
  variables: Variables,
  host: QueryHost,
  deadline: number,
): Promise<void> {
  const [only, other] = roots
  // A single effect runs at most one statement and needs no transaction.
  if (only?.kind === 'effect' && other === undefined) {
    data[only.key] = await withRootErrors(only, () => performEffect(only, variables, host))
    return
  }
  // Computed before the transaction begins, because hashing is slow.
  const parameters: unknown[][] = []
  for (const root of roots)
    parameters.push(
      root.kind === 'effect'
        ? []
        : await withRootErrors(root, async () => parametersOf(root.statement, variables, host)),
    )
  // Even a single statement runs in a transaction, because `begin` detects a dead connection before anything is written.
  await host.transaction(async (runInTransaction) => {
    for (const [which, root] of roots.entries()) {
      if (root.kind === 'effect') {
        data[root.key] = await withRootErrors(root, () => performEffect(root, variables, runInTransaction))
        continue
      }
      const { statement, field, args, range, key } = root
      data[key] = await withRootErrors(root, async () => {
        const values = parameters[which] ?? []
        const [row] = await runInTransaction.run(statement.sql.withValues(values), {
          write: true,
          replica: false,
          timeout: secondsLeft(deadline),
        })
        const writtenResult = row?.[0] ?? null
        if (writtenResult === null && field.missing !== undefined)
          throw valueError(field.missing(plainArguments(args, variables)), range)
        await field.runEffects?.(writtenResult, runInTransaction.effects)
        return completeDeferred(statement, applyShape(statement, writtenResult, variables, runInTransaction), deadline)
      })
      if (field.changedCache !== undefined) await runInTransaction.announceChange(field.changedCache)
    }
  })
}

async function performEffect(
  { field, selected }: EffectRoot,
  variables: Variables,
  { effects }: QueryHost,
): Promise<unknown> {
  if (effects === null)
    throw valueError('Mails, text messages, API calls, log entries and jobs are not available here.')
  const value = await field.perform(plainArguments(selected.args, variables), effects)
  return project(value, selected, (fault) => {
    throw fault
  })
}

async function performSessionField(
  { field, args, range, statement }: Extract<Root, { kind: 'session' }>,
  variables: Variables,
  host: QueryHost,
  deadline: number,
): Promise<unknown> {
  const plain = plainArguments(args, variables)
  const value =
    field.form !== undefined && namesFormInArguments(plain)
      ? await sendForm(field.form, plain, host, range)
      : await field.perform(plain, host)
  return statement === null ? value : readResult(statement, variables, host, deadline)
}

/** Runs the statement that reads the result of a field after its effect. */
async function readResult(
  statement: Statement,
  variables: Variables,
  host: QueryHost,
  deadline: number,
): Promise<unknown> {
  const options = { write: false, replica: false, timeout: secondsLeft(deadline) }
  const rows = await host.run(statement.sql.withValues(await parametersOf(statement, variables, host)), options)
  return completeDeferred(statement, applyShape(statement, parseResult(rows), variables, host), deadline)
}

/** Returns the remaining seconds of the timeout, which covers the whole operation. */
function secondsLeft(deadline: number): number {
  return Math.max(0.001, (deadline - performance.now()) / 1000)
}

function timeoutOf({ timeouts }: PreparedStatements, variables: Variables): number {
  const requestedTimeouts = timeouts
    .map((source) => Number(sourceValue(source, variables)))
    .filter((seconds) => seconds > 0)
  return Math.min(MAX_TIMEOUT, requestedTimeouts.length === 0 ? TIMEOUT : Math.max(...requestedTimeouts))
}

function failedResult(plan: Plan, problems: readonly Problem[], root: Root | null): ExecutionResult {
  return { data: null, errors: problems.map((problem) => graphqlErrorOf(problem, plan.document, root)) }
}

/** Converts a problem to a GraphQL error. */
export function graphqlErrorOf(
  { message, hint, range: at, code, details }: Problem,
  document: string,
  root: Root | null = null,
): GraphqlError {
  const range = at ?? root?.range ?? null
  return {
    message: hint === null ? message : `${message}${/[.!?]$/.test(message) ? '' : '.'} ${hint}`,
    ...(range !== null && { locations: [locationOf(document, range)] }),
    ...(root !== null && { path: [root.key] }),
    extensions: { code, ...details },
  }
}

function missingValueGraphqlError({ message, range, path }: MissingValueError, document: string): GraphqlError {
  return { message, locations: [locationOf(document, range)], path }
}

function locationOf(document: string, { start }: SourceRange): { line: number; column: number } {
  const precedingText = document.slice(0, start)
  return { line: precedingText.split('\n').length, column: start - precedingText.lastIndexOf('\n') }
}
