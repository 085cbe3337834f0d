/** GraphQL for templates: runs stored operations by name, and documents, as the request's visitor. */
import type { ExecutionResult, QueryHost } from '../../../../runtime/data/query/host.ts'
import {
  graphqlErrorOf,
  execute,
  type NullMeaning,
  type Plan,
  QueryError,
} from '../../../../runtime/data/query/index.ts'
import { didYouMean } from '../../../../runtime/data/query/suggest.ts'
import type { Fields, GraphqlPort } from '../../../../runtime/page/services.ts'
import { bareQueryNames } from '../../../../runtime/data/query/bare-names.ts'
import type { CompiledSite } from '../../../../runtime/page/site.ts'
import type { Plans } from './plans.ts'
import type { QueryWatch } from './query-watch.ts'

export interface PortParts {
  readonly site: CompiledSite
  readonly plans: Plans
  readonly host: QueryHost
  /** Absent or null where nobody listens. */
  readonly watch?: QueryWatch | null
}

/** The port of one request. Errors are returned in the result's `errors` beside its data. */
export function createGraphqlPort({ site, plans, host, watch = null }: PortParts): GraphqlPort {
  return {
    async run(operation, variables, warn) {
      const name = 'document' in operation ? WRITTEN : operation.name
      const watched = watch === null ? null : watch.begun(name)
      const {
        data,
        errors,
        warnings = [],
      } = 'document' in operation
        ? await answer(operation.document, () => plans.other(operation.document, null), variables, hostOf(WRITTEN))
        : await stored(operation.name, variables)
      // Called from here, where the stack leads to the template that waits.
      if (watched !== null) watch?.ended(watched, errors)
      for (const warning of warnings) warn?.(warning)
      return errors === undefined ? { ...data } : { ...data, errors }
    },
  }

  function hostOf(query: string): QueryHost {
    return watch === null ? host : watch.hostOf(query)
  }

  function stored(name: string, variables: Fields): Promise<ExecutionResult> {
    const known = Object.hasOwn(site.operations, name) ? site.operations[name] : undefined
    if (known === undefined) return byFileName(name, variables)
    return answer(known.document, () => plans.stored(known.document), variables, hostOf(name))
  }

  /** Runs the query whose file alone has this name; warns the first time for each name. */
  async function byFileName(name: string, variables: Fields): Promise<ExecutionResult> {
    const names = bareNames(site)
    const bare = names.get(name)
    if (bare === undefined) return { data: null, errors: [{ message: unknownOperation(name, site) }] }
    const result = await stored(bare.whole, variables)
    if (bare.warned) return result
    bare.warned = true
    const warning = `there is no query of this name, so '${bare.whole}' ran, the only one whose file is called so: write its whole name`
    return { ...result, warnings: [warning, ...(result.warnings ?? [])] }
  }
}

/** What queries are called that templates put together. */
const WRITTEN = '(document)'

interface BareName {
  readonly whole: string
  /** Whether the warning was given. */
  warned: boolean
}

/** Built when a site first calls a query by a name that it does not have. */
const BARE_NAMES = new WeakMap<CompiledSite['operations'], ReadonlyMap<string, BareName>>()

function bareNames({ operations }: CompiledSite): ReadonlyMap<string, BareName> {
  let names = BARE_NAMES.get(operations)
  if (names === undefined) {
    names = new Map(
      [...bareQueryNames(Object.keys(operations))].map(([bare, whole]) => [bare, { whole, warned: false }] as const),
    )
    BARE_NAMES.set(operations, names)
  }
  return names
}

/**
 * Runs a document, or returns why it is invalid.
 * @param nil how null is treated for a variable with a default
 */
export function answer(
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
