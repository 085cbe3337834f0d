/** GraphQL for templates: runs stored operations by name, and documents, as the visitor of the request. */
import type { ExecutionResult, QueryHost } from '../../../../runtime/data/query/host.ts'
import {
  graphqlErrorOf,
  execute,
  type NullMeaning,
  type Plan,
  QueryError,
  RUN,
} from '../../../../runtime/data/query/index.ts'
import { didYouMean } from '../../../../runtime/data/query/suggest.ts'
import type { Fields, GraphqlPort } from '../../../../runtime/page/services.ts'
import { bareQueryNames } from '../../../../runtime/data/query/bare-names.ts'
import type { CompiledSite } from '../../../../runtime/page/site.ts'
import type { Plans } from './plans.ts'
import type { QueryWatch } from './query-watch.ts'

export interface PortDependencies {
  readonly site: CompiledSite
  readonly plans: Plans
  readonly host: QueryHost
  /** Absent or null when queries are not observed. */
  readonly watch?: QueryWatch | null
  /** Why mutations are refused, as a sentence. Absent or null when they are allowed. */
  readonly refusal?: string | null
}

/** Creates the GraphQL port of one request. Errors are returned in `errors` beside the data. */
export function createGraphqlPort({ site, plans, host, watch = null, refusal = null }: PortDependencies): GraphqlPort {
  return {
    async run(operation, variables, warn) {
      const name = 'document' in operation ? DOCUMENT_QUERY : operation.name
      const document = 'document' in operation ? operation.document : null
      const watchedQuery =
        watch === null ? null : watch.start({ name, shown: shownName(operation), document, variables })
      const {
        data,
        errors,
        warnings = [],
      } = 'document' in operation
        ? await runDocument(
            operation.document,
            () => permitted(plans.planDocument(operation.document, null)),
            variables,
            namedHost(DOCUMENT_QUERY),
          )
        : await runStored(operation.name, variables)
      // Called here, where the stack leads to the template that waits.
      if (watchedQuery !== null) watch?.finish(watchedQuery, { data, ...(errors && { errors }) })
      for (const warning of warnings) warn?.(warning)
      return errors === undefined ? { ...data } : { ...data, errors }
    },
  }

  /** @throws QueryError for a mutation that is refused */
  function permitted(plan: Plan): Plan {
    if (refusal !== null && plan.kind === 'mutation')
      throw new QueryError([{ code: 'invalid', message: refusal, range: null, hint: null, mistake: RUN }])
    return plan
  }

  function namedHost(query: string): QueryHost {
    return watch === null ? host : watch.hostFor(query)
  }

  function runStored(name: string, variables: Fields): Promise<ExecutionResult> {
    const known = Object.hasOwn(site.operations, name) ? site.operations[name] : undefined
    if (known === undefined) return runByFileName(name, variables)
    return runDocument(known.document, () => permitted(plans.stored(known.document)), variables, namedHost(name))
  }

  /** Runs the only query whose file has this name without its folders. Warns the first time for each name. */
  async function runByFileName(name: string, variables: Fields): Promise<ExecutionResult> {
    const names = bareNames(site)
    const bare = names.get(name)
    if (bare === undefined) return { data: null, errors: [{ message: unknownOperation(name, site) }] }
    const result = await runStored(bare.fullName, variables)
    if (bare.warned) return result
    bare.warned = true
    const warning = `there is no query '${name}', so '${bare.fullName}' ran, the only query with this file name: write its full name`
    return { ...result, warnings: [warning, ...(result.warnings ?? [])] }
  }
}

/** Query name in metrics for documents that templates build. */
const DOCUMENT_QUERY = '(document)'

/** Returns the name of a query for the log: of a document, its operation or its first field, but never its values. */
function shownName(operation: Parameters<GraphqlPort['run']>[0]): string {
  if (!('document' in operation)) return operation.name
  const [, kind = 'query', name] = /^\s*(query|mutation)\b[ \t]*(\w+)?/.exec(operation.document) ?? []
  const [, field = ''] = /\{\s*(\w+)/.exec(operation.document) ?? []
  return `${DOCUMENT_QUERY} ${kind} ${name ?? `{ ${field} }`}`
}

interface BareName {
  readonly fullName: string
  /** Whether the warning was already logged. */
  warned: boolean
}

/** File names of queries. Computed when a site first calls a query by a name that it does not have. */
const BARE_NAMES = new WeakMap<CompiledSite['operations'], ReadonlyMap<string, BareName>>()

function bareNames({ operations }: CompiledSite): ReadonlyMap<string, BareName> {
  let names = BARE_NAMES.get(operations)
  if (names === undefined) {
    names = new Map(
      [...bareQueryNames(Object.keys(operations))].map(
        ([bareName, fullName]) => [bareName, { fullName, warned: false }] as const,
      ),
    )
    BARE_NAMES.set(operations, names)
  }
  return names
}

/**
 * Runs a document, or returns why it is invalid.
 * @param nil how null is treated for a variable with a default
 */
export function runDocument(
  document: string,
  plan: () => Plan,
  variables: Fields,
  host: QueryHost,
  nil: NullMeaning = 'default',
): Promise<ExecutionResult> {
  let planned: Plan
  try {
    planned = plan()
  } catch (error) {
    if (!(error instanceof QueryError)) throw error
    return Promise.resolve({ data: null, errors: error.problems.map((problem) => graphqlErrorOf(problem, document)) })
  }
  return execute(planned, variables, host, nil)
}

function unknownOperation(name: string, site: CompiledSite): string {
  const hint = didYouMean(name, Object.keys(site.operations))
  return `There is no query \`${name}\`${hint === undefined ? '' : `. ${hint}`}`
}
