/**
 * Finds the names that can be used at an offset of a query. It follows the tokens before the offset through the schema, so it also works
 * if the query does not parse.
 */
import {
  getNamedType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql'

export interface Nameable {
  readonly name: string
  readonly role: 'field' | 'input' | 'value'
  /** The name with its arguments. */
  readonly usage: string
  readonly type: string
  readonly description: string
  readonly deprecated: boolean
}

type Input = GraphQLArgument | GraphQLInputField

type Scope =
  | { readonly of: 'selection'; readonly type: GraphQLNamedType | null; field: GraphQLField<unknown, unknown> | null }
  | { readonly of: 'inputs'; readonly inputs: readonly Input[]; input: Input | null }
  /** A list whose items are values of the input. */
  | { readonly of: 'list'; readonly input: Input | null }

const TOKENS = /#[^\n]*|"(?:\\.|[^"\\\n])*"?|\.\.\.|[{}()[\]:]|\$?\w+/g

/** Returns the names that may follow. @param textBefore the document up to the offset, without the word being typed */
export function nameableAt(schema: GraphQLSchema, textBefore: string): readonly Nameable[] {
  const scopes: Scope[] = []
  let root: GraphQLNamedType | null = schema.getQueryType() ?? null
  let last = ''
  for (const [sign] of textBefore.matchAll(TOKENS)) {
    const scope = scopes.at(-1)
    if (scope === undefined) root = rootAfter(schema, root, last, sign)
    if (sign === '{') scopes.push(openScope(scope, root, schema.getType(last) ?? null))
    else if (sign === '(')
      scopes.push({ of: 'inputs', inputs: scope?.of === 'selection' ? (scope.field?.args ?? []) : [], input: null })
    else if (sign === '[') scopes.push({ of: 'list', input: inputOf(scope) })
    else if (sign === '}' || sign === ')' || sign === ']') scopes.pop()
    else if (/^\w/.test(sign)) advance(scope, sign, last)
    if (!sign.startsWith('#')) last = sign
  }
  const scope = scopes.at(-1)
  if (scope === undefined) return []
  if (last === ':' || scope.of === 'list') return valuesOf(inputOf(scope))
  return scope.of === 'selection' ? fieldsOf(scope.type) : scope.inputs.map(toNameable)
}

function rootAfter(
  schema: GraphQLSchema,
  root: GraphQLNamedType | null,
  last: string,
  sign: string,
): GraphQLNamedType | null {
  if (sign === 'mutation') return schema.getMutationType() ?? null
  if (sign === 'query') return schema.getQueryType() ?? null
  return last === 'on' ? (schema.getType(sign) ?? null) : root
}

/** `named` is the type before the brace in `... on Type {`. */
function openScope(scope: Scope | undefined, root: GraphQLNamedType | null, named: GraphQLNamedType | null): Scope {
  if (scope === undefined) return { of: 'selection', type: root, field: null }
  if (scope.of === 'selection') {
    const type = scope.field === null ? named : getNamedType(scope.field.type)
    return { of: 'selection', type, field: null }
  }
  const input = inputOf(scope)
  const type = input === null ? null : getNamedType(input.type)
  const inputs = type !== null && isInputObjectType(type) ? Object.values(type.getFields()) : []
  return { of: 'inputs', inputs, input: null }
}

function inputOf(scope: Scope | undefined): Input | null {
  return scope === undefined || scope.of === 'selection' ? null : scope.input
}

function advance(scope: Scope | undefined, name: string, last: string): void {
  if (scope?.of === 'selection')
    scope.field = last === 'on' || last === '...' ? null : (fieldNamed(scope.type, name) ?? null)
  // A value after a colon is not the name of an input.
  else if (scope?.of === 'inputs' && last !== ':') scope.input = scope.inputs.find((each) => each.name === name) ?? null
}

function fieldNamed(type: GraphQLNamedType | null, name: string): GraphQLField<unknown, unknown> | undefined {
  return isObjectType(type) || isInterfaceType(type) ? type.getFields()[name] : undefined
}

function fieldsOf(type: GraphQLNamedType | null): readonly Nameable[] {
  return isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()).map(toNameable) : []
}

function toNameable(each: GraphQLField<unknown, unknown> | Input): Nameable {
  const { name, type, description, deprecationReason } = each
  const args = 'args' in each ? each.args : null
  const inputs =
    args === null || args.length === 0 ? '' : `(${args.map((input) => `${input.name}: ${input.type}`).join(', ')})`
  return {
    name,
    role: args === null ? 'input' : 'field',
    usage: name + inputs,
    type: String(type),
    description: description ?? '',
    deprecated: deprecationReason != null,
  }
}

function valuesOf(input: Input | null): readonly Nameable[] {
  const type = input === null ? null : getNamedType(input.type)
  if (type === null || !isEnumType(type)) return []
  return type.getValues().map(({ name, description, deprecationReason }) => ({
    name,
    role: 'value',
    usage: name,
    type: type.name,
    description: description ?? '',
    deprecated: deprecationReason != null,
  }))
}
