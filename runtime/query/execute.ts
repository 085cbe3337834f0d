/** Runs a plan: a query as one statement, the mutations of an operation one after another in one transaction. */
import { graphqlSync, Kind, print, type OperationDefinitionNode } from 'graphql'
import { valueOf } from './build.ts'
import { coerceVariables } from './coerce.ts'
import type { ExecutionResult, GraphqlError, QueryHost } from './host.ts'
import { type Place, type Problem, QueryError } from './model.ts'
import type { Plan } from './plan.ts'
import { plainArguments, project } from './project.ts'
import { schema } from './schema.ts'
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
    const replica =
      prepared.replicas.length > 0 && prepared.replicas.every((source) => valueOf(source, variables) === true)
    const options = { write: false, replica, timeout: timeoutOf(prepared, variables) }
    const found = await host.run(query.text, query.values(variables, host.viewer, host), options)
    rows = (query.shape === null ? found : query.shape(found, host)) as typeof rows
  }
  // All are rows, as nearly always: the database has built the whole answer.
  if (query !== null && roots.every(({ kind }) => kind === 'query')) return { data: rows }
  const data: Record<string, unknown> = {}
  for (const root of roots) {
    if (root.kind === 'query') data[root.key] = rows[root.key] ?? null
    else if (root.kind === 'typename') data[root.key] = plan.root.name
    else if (root.kind === 'introspection') Object.assign(data, introspected(plan, root.key, variables))
    else if (root.kind === 'site') {
      const value = await root.field.value(plainArguments(root.selected.args), host.site)
      data[root.key] = await project(value, root.selected)
    }
  }
  return { data }
}

async function runMutations(
  plan: Plan,
  prepared: Prepared,
  variables: Variables,
  host: QueryHost,
): Promise<ExecutionResult> {
  const options = { write: true, replica: false, timeout: timeoutOf(prepared, variables) }
  const data = await host.transaction(async (inside) => {
    const results: Record<string, unknown> = {}
    for (const root of prepared.roots) {
      if (root.kind === 'typename') results[root.key] = plan.root.name
      if (root.kind !== 'mutation') continue
      const { statement, field } = root
      try {
        const values = statement.values(variables, inside.viewer, inside)
        const found = await inside.run(statement.text, values, options)
        if ((found === undefined || found === null) && field.missing !== undefined) {
          const message = field.missing(plainArguments(root.selected.args))
          throw new QueryError([{ code: 'value', message, at: root.selected.at, hint: null }])
        }
        results[root.key] = statement.shape === null ? (found ?? null) : statement.shape(found ?? null, inside)
      } catch (error) {
        throw error instanceof QueryError ? new RootError(error.problems, root) : error
      }
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

/** `__schema` and `__type` are answered by the reference implementation. */
function introspected(plan: Plan, key: string, variables: Variables): Readonly<Record<string, unknown>> {
  const own = plan.node.selectionSet.selections.filter(
    (node) => node.kind === Kind.FIELD && (node.alias ?? node.name).value === key,
  )
  const node: OperationDefinitionNode = { ...plan.node, selectionSet: { ...plan.node.selectionSet, selections: own } }
  const source = [node, ...plan.fragments.values()].map(print).join('\n')
  const { data, errors } = graphqlSync({ schema: schema(), source, variableValues: { ...variables } })
  if (errors !== undefined && !data) {
    throw new QueryError(errors.map(({ message }) => ({ code: 'invalid', message, at: null, hint: null })))
  }
  return { ...data }
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
  const place = at ?? root?.selected.at ?? null
  return {
    message: hint === null ? message : `${message}${/[.!?]$/.test(message) ? '' : '.'} ${hint}`,
    ...(place !== null && { locations: [locationOf(document, place)] }),
    ...(root !== null && { path: [root.key] }),
    extensions: { code },
  }
}

function locationOf(document: string, { start }: Place): { line: number; column: number } {
  const before = document.slice(0, start)
  return { line: before.split('\n').length, column: start - before.lastIndexOf('\n') }
}
