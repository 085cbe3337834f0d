/** `__schema` and `__type`: the reference implementation answers them. */
import {
  executeSync,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql'
import { QueryError } from './model.ts'
import type { Plan } from './plan.ts'
import { schema } from './schema.ts'

/**
 * The root fields of a plan that ask about the schema, by their keys.
 * @param variables coerced
 * @throws QueryError
 */
export function introspect(
  plan: Plan,
  variables: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const operation: OperationDefinitionNode = {
    ...plan.node,
    selectionSet: asking(plan.node.selectionSet, plan.fragments),
  }
  const { data, errors } = executeSync({
    schema: schema(),
    // The document has been validated as a whole: without the rest of it, some of it is unused, and that is no fault.
    document: { kind: Kind.DOCUMENT, definitions: [operation, ...plan.fragments.values()] },
    variableValues: variables,
  })
  if (errors !== undefined) {
    throw new QueryError(errors.map(({ message }) => ({ code: 'invalid', message, at: null, hint: null })))
  }
  return data ?? {}
}

/** Of a selection on the root, only what asks about the schema; fragments stand where they are spread. */
function asking(set: SelectionSetNode, fragments: ReadonlyMap<string, FragmentDefinitionNode>): SelectionSetNode {
  const selections = set.selections.flatMap((node): SelectionNode[] => {
    if (node.kind === Kind.FIELD) return /^__(?!typename$)/.test(node.name.value) ? [node] : []
    const inner = node.kind === Kind.INLINE_FRAGMENT ? node : fragments.get(node.name.value)
    if (inner === undefined) return []
    const selectionSet = asking(inner.selectionSet, fragments)
    const { directives } = node
    return selectionSet.selections.length === 0
      ? []
      : [{ kind: Kind.INLINE_FRAGMENT, selectionSet, ...(directives !== undefined && { directives }) }]
  })
  return { ...set, selections }
}
