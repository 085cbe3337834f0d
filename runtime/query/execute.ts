/** Runs a plan: a query as one statement, the mutations of an operation one after another in one transaction. */
import { valueOf } from './build.ts'
import { coerceVariables } from './coerce.ts'
import type { ExecutionResult, GraphqlError, QueryHost } from './host.ts'
import { introspect } from './introspection.ts'
import { type Place, type Problem, QueryError, type Statement } from './model.ts'
import type { Plan } from './plan.ts'
import { Absent, plainArguments, project } from './project.ts'
import { objectOf } from './rows/json.ts'
import { type Prepared, prepare, type Root } from './statement.ts'

/** Seconds that an operation gets without `options.timeout`, and the most that it can ask for. */
const TIMEOUT = 19
const LONGEST = 600

type Variables = Readonly<Record<string, unknown>>

/**
 * Runs an operation. What the caller can mend stands in `errors`, as does the site's own data that are wrong; whatever else the
 * host throws goes through. Mutations are all done or none.
 */
export async function execute(plan: Plan, given: Variables, host: QueryHost): Promise<ExecutionResult> {
  const { values, problems } = coerceVariables(plan.declared, given)
  if (problems.length > 0) return failed(plan, problems, null)
  try {
    const prepared = prepare(plan, values, host.catalog, host.options)
    return plan.kind === 'query'
      ? await runQuery(plan, prepared, values, host)
      : await runMutations(plan, prepared, values, host)
  } catch (error) {
    if (error instanceof RootError) return failed(plan, error.problems, error.root)
    if (error instanceof QueryError) return failed(plan, error.problems, null)
    throw error
  }
}

/** A `QueryError` with the root field that it came from. */
class RootError extends QueryError {
  readonly root: Root

  constructor(problems: readonly Problem[], root: Root) {
    super(problems)
    this.root = root
  }
}

async function runQuery(
  plan: Plan,
  prepared: Prepared,
  variables: Variables,
  host: QueryHost,
): Promise<ExecutionResult> {
  const { query, roots } = prepared
  let rows: Readonly<Record<string, unknown>> = {}
  if (query !== null) {
    const replica = prepared.replicas?.every((source) => valueOf(source, variables) === true) ?? false
    const options = { write: false, replica, timeout: timeoutOf(prepared, variables) }
    // Of several in one statement nobody knows which has failed.
    const [only, other] = roots.filter(({ kind }) => kind === 'query')
    rows = await within(other === undefined ? (only ?? null) : null, async () => {
      const found = await host.run(query.text, query.values(variables, host.viewer, host), options)
      if (query.rows !== null) return listed(found, query.rows, host)
      // The whole answer is one text of JSON.
      const text = found[0]?.[0]
      const value: unknown = typeof text === 'string' ? JSON.parse(text) : text
      return (query.shape === null ? value : query.shape(value, host)) as typeof rows
    })
  }
  // All are rows, as nearly always: the database has built the whole answer.
  if (query !== null && roots.every(({ kind }) => kind === 'query')) return { data: rows }
  const data = noData()
  const asked = roots.some(({ kind }) => kind === 'introspection') ? introspect(plan, variables) : {}
  const faults: GraphqlError[] = []
  const absent = (fault: Absent): void => void faults.push(faultOf(fault, plan.document))
  try {
    for (const root of roots) {
      if (root.kind === 'query') data[root.key] = rows[root.key] ?? null
      else if (root.kind === 'typename') data[root.key] = plan.root.name
      else if (root.kind === 'introspection') data[root.key] = asked[root.key] ?? null
      else if (root.kind === 'site') {
        const { field, selected } = root
        data[root.key] = await within(root, async () =>
          project(await field.value(plainArguments(selected.args, variables), host.site), selected, absent),
        )
      }
    }
  } catch (error) {
    if (!(error instanceof Absent)) throw error
    return { data: null, errors: [...faults, faultOf(error, plan.document)] }
  }
  return faults.length === 0 ? { data } : { data, errors: faults }
}

/** The answer of a statement that gives rows. */
function listed(
  found: readonly (readonly unknown[])[],
  { columns, shape, key, root }: NonNullable<Statement['rows']>,
  host: QueryHost,
): Readonly<Record<string, unknown>> {
  const list = found.map((values) => {
    const object = objectOf(values, columns)
    return shape === null ? object : shape(object, host)
  })
  return { [root]: { [key]: list } }
}

/** The result's keys are the caller's, `__proto__` too. */
function noData(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>
}

/** What goes wrong in `body` is told as the root field's. */
async function within<T>(root: Root | null, body: () => Promise<T>): Promise<T> {
  try {
    return await body()
  } catch (error) {
    throw root !== null && error instanceof QueryError ? new RootError(error.problems, root) : error
  }
}

async function runMutations(
  plan: Plan,
  prepared: Prepared,
  variables: Variables,
  host: QueryHost,
): Promise<ExecutionResult> {
  const until = performance.now() + timeoutOf(prepared, variables) * 1000
  const data = await host.transaction(async (inside) => {
    const results = noData()
    for (const root of prepared.roots) {
      if (root.kind === 'typename') results[root.key] = plan.root.name
      if (root.kind !== 'mutation') continue
      const { statement, field, args, at } = root
      results[root.key] = await within(root, async () => {
        // The time is that of the whole operation.
        const timeout = Math.max(0.001, (until - performance.now()) / 1000)
        const values = statement.values(variables, inside.viewer, inside)
        const [row] = await inside.run(statement.text, values, { write: true, replica: false, timeout })
        const found = row?.[0] ?? null
        if (found === null && field.missing !== undefined) {
          throw new QueryError([
            { code: 'value', message: field.missing(plainArguments(args, variables)), at, hint: null },
          ])
        }
        return statement.shape === null ? found : statement.shape(found, inside)
      })
      if (field.touches !== undefined) await inside.touched(field.touches)
    }
    return results
  })
  return { data }
}

function timeoutOf({ timeouts }: Prepared, variables: Variables): number {
  const asked = timeouts.map((source) => Number(valueOf(source, variables))).filter((seconds) => seconds > 0)
  return Math.min(LONGEST, asked.length === 0 ? TIMEOUT : Math.max(...asked))
}

function failed(plan: Plan, problems: readonly Problem[], root: Root | null): ExecutionResult {
  return { data: null, errors: problems.map((problem) => errorOf(problem, plan.document, root)) }
}

/** A problem as GraphQL tells it. */
export function errorOf(
  { message, hint, at, code }: Problem,
  document: string,
  root: Root | null = null,
): GraphqlError {
  const place = at ?? root?.at ?? null
  return {
    message: hint === null ? message : `${message}${/[.!?]$/.test(message) ? '' : '.'} ${hint}`,
    ...(place !== null && { locations: [locationOf(document, place)] }),
    ...(root !== null && { path: [root.key] }),
    extensions: { code },
  }
}

function faultOf({ message, at, path }: Absent, document: string): GraphqlError {
  return { message, locations: [locationOf(document, at)], path }
}

function locationOf(document: string, { start }: Place): { line: number; column: number } {
  const before = document.slice(0, start)
  return { line: before.split('\n').length, column: start - before.lastIndexOf('\n') }
}
