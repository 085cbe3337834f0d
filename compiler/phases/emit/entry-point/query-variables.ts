/**
 * Emits the variables of a query. A variable is left out if its value would be an older name that refers to a hash of `context`, but the
 * query takes no hash.
 */
import { type Expression, type NamedArgument, type Node, unfiltered, stringOf } from '../../../core/tree/ast.ts'
import { all, binary, choice, type Code, type Entry, object, property, UNDEFINED } from '../../../core/model/code.ts'
import { inlineKey, type Operation } from '../../../core/model/operation.ts'
import type { EmitKit } from '../../../language/tags/tag.ts'
import { meansHash, takesHash } from '../../../language/types/old-variables.ts'
import type { EntryPointInput } from './input.ts'
import { oldKeys } from './old-names.ts'
import type { Variables } from './variables.ts'

/** Returns the hash of variables. `name`: the name of a stored query; `body`: the query in the body of the tag. */
export function queryVariables(
  input: EntryPointInput,
  kit: EmitKit,
  variables: Variables,
  args: readonly NamedArgument[],
  query: { readonly name: Expression } | { readonly body: readonly Node[] },
): Code {
  const operation = operationOf(input, query)
  const bareNameOf = (argument: NamedArgument) => bareHashName(input, variables, operation, argument)
  if (!args.some((each) => bareNameOf(each) !== null)) return kit.named(args)
  const entries = new Map<string, Entry>()
  for (const each of args) {
    const key = each.name.name
    const name = bareNameOf(each)
    const bareValue = name === null ? null : variables.passedVariable(name)
    const entry =
      bareValue === null
        ? property(key, kit.value(each.value))
        : all(choice(binary(bareValue, '===', UNDEFINED), object([]), object([property(key, bareValue)])))
    entries.set(key, entry)
  }
  return object([...entries.values()])
}

function operationOf(
  { context: { operations } }: EntryPointInput,
  query: { readonly name: Expression } | { readonly body: readonly Node[] },
): Operation | undefined {
  if ('body' in query) {
    const [first] = query.body
    return first?.kind === 'text' ? operations.inline.get(inlineKey(first.span)) : undefined
  }
  return operations.storedOperations.get(stringOf(query.name) ?? '')
}

/** Returns the older name in an argument that may pass a hash of `context` to a variable that takes no hash; null for other arguments. */
function bareHashName(
  input: EntryPointInput,
  variables: Variables,
  operation: Operation | undefined,
  argument: NamedArgument,
): string | null {
  const value = unfiltered(argument.value)
  if (value.kind !== 'lookup' || value.name === null || value.path.length > 0) return null
  const { name } = value.name
  const keys = variables.hides(name) ? null : oldKeys(input, name)
  if (keys === null || !meansHash(keys)) return null
  const variable = operation?.variables.find((each) => each.name === argument.name.name)
  return variable === undefined || takesHash(variable.shape) ? null : name
}
