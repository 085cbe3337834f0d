/** Converts a selection set and its variables to selected fields. The arguments of a field become inputs that know their source. */
import {
  type DirectiveNode,
  type FieldNode,
  type FragmentDefinitionNode,
  getNamedType,
  getNullableType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLSchema,
  isAbstractType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  type ObjectValueNode,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
  valueFromASTUntyped,
  type ValueNode,
} from 'graphql'
import {
  type RecordDecision,
  type Input,
  type InputFields,
  Leaf,
  type SourceRange,
  type Problem,
  type Mistake,
  QueryError,
  type Selected,
  type Source,
  identityOf,
} from './model.ts'
import { queryField, mutationField } from './schema.ts'
import { isObject } from '../values/json-data.ts'

interface SelectContext {
  readonly schema: GraphQLSchema
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
  /** The coerced values of the variables. Variables that were not given are absent. */
  readonly variables: Readonly<Record<string, unknown>>
  /** Whether the values of variables are known. They are unknown while the compiler plans. */
  readonly isKnown: boolean
  /** Called with each value of a variable that a decision depends on. */
  readonly recordDecision: RecordDecision | null
}

/** The introspection fields of the root types and of every object type. */
const META_FIELDS = new Map(
  [SchemaMetaFieldDef, TypeMetaFieldDef, TypeNameMetaFieldDef].map((field) => [field.name, field] as const),
)

function declaredField(type: GraphQLObjectType, name: string): GraphQLField<unknown, unknown> | undefined {
  return type.getFields()[name] ?? META_FIELDS.get(name)
}

/** A selection set of a field. `isOptional` is set when a variable may omit it. */
interface SelectionPart {
  readonly set: SelectionSetNode
  readonly isOptional: boolean
}

/** Limits the number of fields, because fragments that spread fragments can make a short document arbitrarily large. */
const MAX_FIELDS = 20_000

/**
 * Returns the fields of a selection set on `type`, in document order. Fields with the same key are merged.
 * @throws QueryError for too many fields, and for a missing required value
 */
export function select(set: SelectionSetNode, type: GraphQLObjectType, context: SelectContext): Selected[] {
  return selectFields([{ set, isOptional: false }], type, context, { fields: 0 })
}

function selectFields(
  parts: readonly SelectionPart[],
  type: GraphQLObjectType,
  context: SelectContext,
  fieldCount: { fields: number },
): Selected[] {
  const groups: FieldGroups = new Map()
  for (const { set, isOptional } of parts) collectFields(set, type, { context, groups, spread: new Set() }, isOptional)
  return [...groups].flatMap(([responseKey, selections]): Selected[] => {
    const node = selections[0]?.node
    if (node === undefined) return []
    // The field may be missing only when every occurrence is conditional.
    const isOptional = selections.every((each) => each.conditional)
    const range = rangeOfField(node)
    if (++fieldCount.fields > MAX_FIELDS)
      throw selectionError(`The document selects more than ${MAX_FIELDS} fields.`, 'invalid', range, {
        kind: 'limit',
        name: 'fields',
      })
    const name = node.name.value
    const field = declaredField(type, name)
    if (field === undefined) return []
    const namedType = getNamedType(field.type)
    const sub = selections.flatMap(({ node: { selectionSet: set }, conditional }): SelectionPart[] =>
      // When the field occurs once, its subfields are present whenever the field is present.
      set === undefined ? [] : [{ set, isOptional: conditional && selections.length > 1 }],
    )
    const wholeArgumentNames = wholeArguments(type, name)
    return [
      {
        responseKey,
        name,
        args: argumentsOf(node, field.args, wholeArgumentNames, context),
        selection: isObjectType(namedType) ? selectFields(sub, namedType, context, fieldCount) : [],
        field,
        type: isOptional ? getNullableType(field.type) : field.type,
        isOptional,
        range,
      },
    ]
  })
}

type FieldGroups = Map<string, { readonly node: FieldNode; readonly conditional: boolean }[]>

interface FieldCollector {
  readonly context: SelectContext
  readonly groups: FieldGroups
  readonly spread: Set<string>
}

function wholeArguments(type: GraphQLObjectType, name: string): readonly string[] {
  if (type.name === 'RootMutation') return mutationField(name)?.singleLeafArguments ?? []
  return type.name === 'RootQuery' ? (queryField(name)?.singleLeafArguments ?? []) : []
}

function collectFields(
  set: SelectionSetNode,
  type: GraphQLObjectType,
  collector: FieldCollector,
  conditional: boolean,
): void {
  const { context, groups, spread } = collector
  for (const node of set.selections) {
    const decision = evaluateDirectives(node.directives, context)
    if (decision === 'out') continue
    const maybe = conditional || decision === 'unknown'
    if (node.kind === 'Field') {
      const key = node.alias?.value ?? node.name.value
      const existingGroup = groups.get(key)
      if (existingGroup === undefined) groups.set(key, [{ node, conditional: maybe }])
      else existingGroup.push({ node, conditional: maybe })
    } else if (node.kind === 'InlineFragment') {
      if (appliesToType(node.typeCondition?.name.value, type, context))
        collectFields(node.selectionSet, type, collector, maybe)
    } else {
      const fragment = context.fragments.get(node.name.value)
      if (fragment === undefined || spread.has(node.name.value)) continue
      spread.add(node.name.value)
      if (appliesToType(fragment.typeCondition.name.value, type, context))
        collectFields(fragment.selectionSet, type, collector, maybe)
    }
  }
}

function appliesToType(condition: string | undefined, type: GraphQLObjectType, { schema }: SelectContext): boolean {
  if (condition === undefined || condition === type.name) return true
  const conditionType = schema.getType(condition)
  return isAbstractType(conditionType) && schema.isSubType(conditionType, type)
}

/** Evaluates `@include` and `@skip`. Returns `unknown` when the compiler would need the value of a variable. */
function evaluateDirectives(
  directives: readonly DirectiveNode[] | undefined,
  context: SelectContext,
): 'in' | 'out' | 'unknown' {
  let unknown = false
  for (const directive of directives ?? []) {
    const { value } = directive.name
    const argumentValue = directive.arguments?.find((argument) => argument.name.value === 'if')?.value
    if (argumentValue === undefined || (value !== 'include' && value !== 'skip')) continue
    if (argumentValue.kind === 'Variable') {
      if (!context.isKnown) {
        unknown = true
        continue
      }
      const flag = Object.hasOwn(context.variables, argumentValue.name.value)
        ? context.variables[argumentValue.name.value]
        : undefined
      context.recordDecision?.({ kind: 'variable', path: [argumentValue.name.value] }, identityOf)
      if ((flag === true) === (value === 'skip')) return 'out'
    } else if (argumentValue.kind === 'BooleanValue' && argumentValue.value === (value === 'skip')) return 'out'
  }
  return unknown ? 'unknown' : 'in'
}

function argumentsOf(
  node: FieldNode,
  defined: readonly GraphQLArgument[],
  wholeArgumentNames: readonly string[],
  context: SelectContext,
): InputFields {
  const args: Record<string, Input | undefined> = {}
  for (const { name, type, defaultValue } of defined) {
    const argumentNode = node.arguments?.find((argument) => argument.name.value === name)?.value
    let input =
      argumentNode === undefined
        ? undefined
        : inputFromNode(argumentNode, type, context, wholeArgumentNames.includes(name))
    const missing = input === undefined || (input === null && argumentNode?.kind === 'Variable')
    // A missing argument has its default value. An argument whose variable has no value counts as missing.
    if (missing && defaultValue !== undefined && defaultValue !== null)
      input = constantInput(defaultValue, argumentNode === undefined ? rangeOf(node) : rangeOf(argumentNode))
    if (missing && isNonNullType(type) && (input === undefined || input === null))
      throw missingValueError(name, node.name.value, argumentNode ?? node)
    if (argumentNode !== undefined || input !== undefined) args[name] = input
  }
  return args
}

/** Returns the input for an argument; undefined when its variable was not given. */
function inputFromNode(
  node: ValueNode,
  type: GraphQLInputType,
  context: SelectContext,
  isWhole: boolean,
): Input | undefined {
  if (isNonNullType(type)) return inputFromNode(node, type.ofType, context, isWhole)
  const range = rangeOf(node)
  if (node.kind === 'Variable') {
    const name = node.name.value
    if (!Object.hasOwn(context.variables, name)) return undefined
    const value = context.variables[name]
    const path = [name]
    if (isWhole) return new Leaf(value, { kind: 'variable', path }, range, context.isKnown, context.recordDecision)
    return inputFromValue(value, type, path, range, context)
  }
  if (node.kind === 'NullValue') return null
  if (isListType(type)) {
    const nodes = node.kind === 'ListValue' ? node.values : [node]
    const items = nodes
      .map((item) => inputFromNode(item, type.ofType, context, isWhole))
      .filter((item) => item !== undefined)
    if (isInputObjectType(getNamedType(type))) return items
    const leaves = items.filter((item): item is Leaf => item instanceof Leaf)
    if (nodes.every(isLiteral)) {
      return new Leaf(
        leaves.map((leaf) => leaf.value),
        { kind: 'constant', value: leaves.map((leaf) => leaf.value) },
        range,
      )
    }
    return Leaf.list(leaves, range)
  }
  if (isInputObjectType(type)) {
    if (node.kind !== 'ObjectValue') return undefined
    const fields: Record<string, Input | undefined> = {}
    const defined = type.getFields()
    for (const field of node.fields) {
      const fieldDefinition = defined[field.name.value]
      if (fieldDefinition === undefined) continue
      const fieldInput = inputFromNode(field.value, fieldDefinition.type, context, isWhole)
      const isOptional =
        !isNonNullType(fieldDefinition.type) ||
        fieldDefinition.defaultValue !== undefined ||
        isBlankable(type, fieldDefinition.name)
      if ((fieldInput ?? null) === null && !isOptional)
        throw missingValueError(field.name.value, type.name, field.value)
      fields[field.name.value] = fieldInput
    }
    for (const { name, defaultValue } of Object.values(defined)) {
      const isMissing = fields[name] === undefined || (fields[name] === null && isVariable(node, name))
      if (isMissing && defaultValue !== undefined && defaultValue !== null)
        fields[name] = constantInput(defaultValue, range)
    }
    return fields
  }
  return literalInput(node, type, range, context)
}

/**
 * Returns whether null is accepted for a field of an input. A property filter whose name is null does not apply, so its name may be null.
 */
export function isBlankable(type: GraphQLInputObjectType, field: string): boolean {
  return type.name === 'PropertyFilterInput' && field === 'name'
}

/** Returns whether a field of an object literal is a variable. A variable without a value is then accepted. */
function isVariable(node: ObjectValueNode, name: string): boolean {
  return node.fields.some((field) => field.name.value === name && field.value.kind === 'Variable')
}

/** Returns the input for a literal scalar. An object for a JSON scalar may contain variables. */
function literalInput(node: ValueNode, type: GraphQLInputType, range: SourceRange, context: SelectContext): Leaf {
  const text = getNamedType(type).name
  if (!isLiteral(node))
    return new Leaf(
      valueFromASTUntyped(node, context.variables),
      sourceOf(node),
      range,
      context.isKnown,
      context.recordDecision,
    )
  let value: unknown = valueFromASTUntyped(node)
  if (
    (text === 'String' || text === 'ID' || text === 'PropertyName') &&
    (node.kind === 'IntValue' || node.kind === 'FloatValue')
  )
    ({ value } = node)
  return new Leaf(value, { kind: 'constant', value }, range)
}

function sourceOf(node: ValueNode): Source {
  switch (node.kind) {
    case 'Variable':
      return { kind: 'variable', path: [node.name.value] }
    case 'ListValue':
      return { kind: 'list', items: node.values.map(sourceOf) }
    case 'ObjectValue':
      return { kind: 'object', fields: node.fields.map((field) => [field.name.value, sourceOf(field.value)]) }
    default:
      return { kind: 'constant', value: valueFromASTUntyped(node) }
  }
}

function isLiteral(node: ValueNode): boolean {
  if (node.kind === 'ListValue') return node.values.every(isLiteral)
  if (node.kind === 'ObjectValue') return node.fields.every((field) => isLiteral(field.value))
  return node.kind !== 'Variable'
}

/** Returns the input for a part of a variable's coerced value. */
function inputFromValue(
  value: unknown,
  type: GraphQLInputType,
  path: readonly (string | number)[],
  range: SourceRange,
  context: SelectContext,
): Input {
  if (isNonNullType(type)) return inputFromValue(value, type.ofType, path, range, context)
  if (value === null || value === undefined) return null
  if (isListType(type)) {
    // A single value counts as a list of one.
    if (!Array.isArray(value)) {
      const itemInput = inputFromValue(value, type.ofType, path, range, context)
      return itemInput instanceof Leaf ? Leaf.list([itemInput], range) : itemInput === null ? [] : [itemInput]
    }
    if (isInputObjectType(getNamedType(type)))
      return value.map((item, index) => inputFromValue(item, type.ofType, [...path, index], range, context))
  } else if (isInputObjectType(type) && isObject(value)) {
    const fields: Record<string, Input | undefined> = {}
    // Coercion has put the fields in the order of the type.
    const defined = type.getFields()
    for (const [name, item] of Object.entries(value)) {
      const field = defined[name]
      if (field !== undefined) fields[name] = inputFromValue(item, field.type, [...path, name], range, context)
    }
    return fields
  }
  return new Leaf(value, { kind: 'variable', path }, range, context.isKnown, context.recordDecision)
}

function constantInput(value: unknown, range: SourceRange): Input {
  if (Array.isArray(value) && value.some(isObject)) return value.map((item) => constantInput(item, range))
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, constantInput(item, range)]))
  return value === null ? null : new Leaf(value, { kind: 'constant', value }, range)
}

/** Creates the error of a variable without a value, when the variable's type allows null but its position does not. */
function missingValueError(name: string, field: string, node: Located): QueryError {
  const mistake = { kind: 'missing input', name, field } as const
  return selectionError(`\`${name}\` of \`${field}\` must have a value.`, 'value', rangeOf(node), mistake)
}

function selectionError(message: string, code: Problem['code'], range: SourceRange, mistake: Mistake): QueryError {
  return new QueryError([{ code, message, range, hint: null, mistake }])
}

/** Returns the location of a field: its alias and name. */
function rangeOfField(node: FieldNode): SourceRange {
  return { start: node.loc?.start ?? 0, end: node.name.loc?.end ?? 0 }
}

type Located = { readonly loc?: { readonly start: number; readonly end: number } | undefined }

function rangeOf(node: Located): SourceRange {
  return { start: node.loc?.start ?? 0, end: node.loc?.end ?? 0 }
}
