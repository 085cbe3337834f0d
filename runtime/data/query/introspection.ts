/** Answers `__schema` and `__type` with the reference implementation of GraphQL. */
import {
  executeSync,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql'
import { QueryError, RUN } from './model.ts'
import type { Plan } from './plan.ts'
import { schema } from './schema.ts'

/**
 * Returns the results of the introspection fields at the root of a plan, by key.
 * @param variables coerced
 * @throws QueryError
 */
export function introspect(
  plan: Plan,
  variables: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const operation: OperationDefinitionNode = {
    ...plan.node,
    selectionSet: introspectionSelection(plan.node.selectionSet, plan.fragments),
  }
  const { data, errors } = executeSync({
    schema: schema(),
    // The reduced document is not validated. The whole document was valid, but without its other fields some fragments and variables are
    // unused.
    document: { kind: Kind.DOCUMENT, definitions: [operation, ...plan.fragments.values()] },
    variableValues: variables,
  })
  if (errors !== undefined) {
    throw new QueryError(
      errors.map(({ message }) => ({
        code: 'invalid',
        message,
        range: null,
        hint: null,
        mistake: RUN,
      })),
    )
  }
  return data ?? {}
}

/** Returns the introspection fields in a selection on the root type, with fragments inlined. */
function introspectionSelection(
  set: SelectionSetNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): SelectionSetNode {
  const selections = set.selections.flatMap((node): SelectionNode[] => {
    if (node.kind === Kind.FIELD) return /^__(?!typename$)/.test(node.name.value) ? [node] : []
    const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : fragments.get(node.name.value)
    if (fragment === undefined) return []
    const selectionSet = introspectionSelection(fragment.selectionSet, fragments)
    const { directives } = node
    return selectionSet.selections.length === 0
      ? []
      : [{ kind: Kind.INLINE_FRAGMENT, selectionSet, ...(directives !== undefined && { directives }) }]
  })
  return { ...set, selections }
}
