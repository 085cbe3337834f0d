/** GraphQL for templates: stored operations by name, and documents, with the request's visitor. */
import type { ExecutionResult, QueryHost } from '../../runtime/query/host.ts'
import { execute, type Problem, QueryError } from '../../runtime/query/index.ts'
import { didYouMean } from '../../runtime/query/suggest.ts'
import type { Fields, GraphqlPort } from '../../runtime/services.ts'
import type { CompiledSite } from '../../runtime/site.ts'
import type { Plans } from './plans.ts'

export interface PortParts {
  readonly site: CompiledSite
  readonly plans: Plans
  readonly host: QueryHost
}

/** The port of one request. What goes wrong stands in the result's `errors`, beside its data. */
export function createGraphqlPort({ site, plans, host }: PortParts): GraphqlPort {
  async function result(
    operation: { readonly name: string } | { readonly document: string },
    variables: Fields,
  ): Promise<ExecutionResult> {
    if (!('name' in operation)) return execute(plans.other(operation.document, null), variables, host)
    const stored = Object.hasOwn(site.operations, operation.name) ? site.operations[operation.name] : undefined
    if (stored === undefined) throw unknownOperation(operation.name, site)
    return execute(plans.stored(stored.document), variables, host)
  }

  return {
    async run(operation, variables) {
      const { data, errors } = await result(operation, variables).catch(refused)
      return errors === undefined ? { ...data } : { ...data, errors }
    },
  }
}

/** A query that does not hold, as the result that tells so. */
export function refused(error: unknown): ExecutionResult {
  if (!(error instanceof QueryError)) throw error
  return { data: null, errors: error.problems.map(errorOf) }
}

function errorOf({ message, hint }: Problem): { message: string } {
  return { message: hint === null ? message : `${message}. ${hint}` }
}

function unknownOperation(name: string, site: CompiledSite): QueryError {
  const hint = didYouMean(name, Object.keys(site.operations)) ?? null
  return new QueryError([{ code: 'invalid', message: `There is no query \`${name}\``, at: null, hint }])
}
