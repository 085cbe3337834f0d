/** Turns a document into a plan: parses it, validates it, selects an operation, and reads its variables. */
import {
  type ASTNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  getNamedType,
  getNullableType,
  GraphQLError,
  type GraphQLObjectType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  isTypeSubTypeOf,
  Kind,
  NoDeprecatedCustomRule,
  NoUnusedVariablesRule,
  type OperationDefinitionNode,
  parse,
  print,
  specifiedRules,
  TokenKind,
  typeFromAST,
  TypeInfo,
  validate,
  type ValidationContext,
  type ValidationRule,
  valueFromAST,
  VariablesInAllowedPositionRule,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import type { DeclaredVariable } from './coerce.ts'
import { readStop, ruleMistake, similarNames, withMistakes } from './mistakes.ts'
import {
  type Correction,
  type DeprecatedUse,
  type Mistake,
  type Problem,
  QueryError,
  type SourceRange,
  type VariableDef,
} from './model.ts'
import { unsupportedMessage } from './unsupported-schema.ts'
import { mutationField, queryField, schema } from './schema.ts'
import { askFor, nearest } from './suggest.ts'

export interface Plan {
  readonly kind: 'query' | 'mutation'
  readonly name: string | null
  readonly document: string
  readonly node: OperationDefinitionNode
  readonly root: GraphQLObjectType
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
  readonly declaredVariables: readonly DeclaredVariable[]
  readonly variables: readonly VariableDef[]
  /** Names of the variables that are passed to a field as one value. The contents of these variables are not part of the shape. */
  readonly singleValueVariables: ReadonlySet<string>
  /** Variables whose type does not match their use (`variable-type`). Their values are converted anyway. */
  readonly mismatches: readonly Problem[]
  readonly deprecated: readonly DeprecatedUse[]
}

const RULES = specifiedRules.filter((rule) => rule !== NoUnusedVariablesRule && rule !== VariablesInAllowedPositionRule)

/**
 * Plans an operation of a document.
 * @param operationName selects one of several
 * @throws QueryError with all errors of the document
 */
export function planOperation(document: string, operationName?: string | null): Plan {
  const ast = parseDocument(document)
  const { errors, mistakes, typeMismatches: mismatched, deprecated } = limitDepth(() => validateDocument(ast))
  if (errors.length > 0)
    throw new QueryError(
      withoutFollowUpErrors(errors, mistakes).map((error) => validationProblem(error, mistakes.get(error) ?? ABORTED)),
    )
  const node = selectOperation(operationsOf(ast), operationName ?? null)
  const root = node.operation === 'mutation' ? schema().getMutationType() : schema().getQueryType()
  if (node.operation === 'subscription' || !root)
    throw invalidDocument('Subscriptions are not supported.', 'subscription', '', node)
  const fragments = new Map(
    ast.definitions.flatMap((each) =>
      each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each] as const] : [],
    ),
  )
  const definitions = node.variableDefinitions ?? []
  const variableUses = mismatched.length === 0 ? null : usesOfVariables(ast, node)
  return {
    kind: node.operation,
    name: node.name?.value ?? null,
    document,
    node,
    root,
    fragments,
    declaredVariables: definitions.map((definition): DeclaredVariable => {
      const type = typeFromAST(schema(), definition.type)
      if (!isInputType(type))
        throw invalidDocument(
          `\`${print(definition.type)}\` cannot be the type of a variable.`,
          'output type',
          print(definition.type),
          definition,
        )
      const { defaultValue } = definition
      return {
        name: definition.variable.name.value,
        type,
        default: defaultValue === undefined ? undefined : valueFromAST(defaultValue, type),
        range: rangeOf(definition),
      }
    }),
    variables: variablesOf(node),
    singleValueVariables: wholeVariables(node, fragments),
    mismatches: mismatched.map((error): Problem => {
      const [declaration, use] = error.nodes ?? []
      const found = use === undefined ? undefined : variableUses?.get(use)
      if (found === undefined || declaration?.kind !== Kind.VARIABLE_DEFINITION)
        return problemOf(error, 'variable-type', ruleMistake(error))
      const name = declaration.variable.name.value
      const mistake: Mistake = { kind: 'variable type', name, type: found.expected, declared: print(declaration.type) }
      return { ...problemOf(error, 'variable-type', mistake), ...(found.isSingleAsList && { singleAsList: true }) }
    }),
    deprecated,
  }
}

/** Maximum number of errors of each kind that are reported for a document. */
const MAX_ERRORS = 50

/** The last error of a validation that found more. */
const ABORTED: Mistake = { kind: 'limit', name: 'errors' }

interface ValidationResult {
  /** Errors for which the document is rejected. */
  readonly errors: readonly GraphQLError[]
  /** What these errors are about. */
  readonly mistakes: ReadonlyMap<GraphQLError, Mistake>
  /** Variables whose type does not match their use. */
  readonly typeMismatches: readonly GraphQLError[]
  /** Uses of deprecated fields, arguments and values. */
  readonly deprecated: readonly DeprecatedUse[]
}

/** Validates a document in one pass. */
function validateDocument(ast: DocumentNode): ValidationResult {
  const mismatched: GraphQLError[] = []
  const deprecated: DeprecatedUse[] = []
  const mistakes = new Map<GraphQLError, Mistake>()
  const rules = [
    ...RULES.map((rule) => withMistakes(rule, mistakes)),
    withReports(VariablesInAllowedPositionRule, (error) => {
      if (mismatched.length < MAX_ERRORS) mismatched.push(error)
    }),
    withReports(NoDeprecatedCustomRule, ({ nodes }, context) => {
      const [node] = nodes ?? []
      if (node !== undefined && deprecated.length < MAX_ERRORS) deprecated.push(deprecatedUse(node, context))
    }),
  ]
  const errors = validate(schema(), ast, rules, { maxErrors: MAX_ERRORS, hideSuggestions: true })
  return { errors, mistakes, typeMismatches: mismatched, deprecated }
}

/** Returns the rule with its errors reported elsewhere. */
function withReports(
  rule: ValidationRule,
  report: (error: GraphQLError, context: ValidationContext) => void,
): ValidationRule {
  return (context) =>
    rule(Object.create(context, { reportError: { value: (error: GraphQLError) => report(error, context) } }))
}

function deprecatedUse(node: ASTNode, context: ValidationContext): DeprecatedUse {
  const { owner = '', definition } = deprecatedDefinition(node, context)
  const reason = definition?.deprecationReason ?? ''
  const { loc } = node
  return {
    name: `${owner}.${definition?.name}`.replace(/^Root(?:Query|Mutation)\./, ''),
    reason: reason === '' || reason === 'No longer supported' ? null : reason,
    range: loc === undefined ? null : { start: loc.start, end: loc.start + nameLength(loc.source.body, loc.start) },
  }
}

interface DeprecatedDefinition {
  readonly owner: string | undefined
  readonly definition:
    | { readonly name: string; readonly deprecationReason?: string | null | undefined }
    | null
    | undefined
}

/** Returns the deprecated field, argument or value of a node that is being validated, with the name of what has it. */
function deprecatedDefinition(node: ASTNode, context: ValidationContext): DeprecatedDefinition {
  const owner = context.getParentType()?.name
  const field = context.getFieldDef()
  switch (node.kind) {
    case Kind.ARGUMENT: {
      const directive = context.getDirective()
      return { owner: directive ? `@${directive.name}` : `${owner}.${field?.name}`, definition: context.getArgument() }
    }
    case Kind.OBJECT_FIELD: {
      const type = getNamedType(context.getParentInputType())
      return { owner: type?.name, definition: isInputObjectType(type) ? type.getFields()[node.name.value] : null }
    }
    case Kind.ENUM:
      return { owner: getNamedType(context.getInputType())?.name, definition: context.getEnumValue() }
    default:
      return { owner, definition: field }
  }
}

function nameLength(document: string, start: number): number {
  return /^\w*/.exec(document.slice(start, start + 200))?.[0].length ?? 0
}

/** Returns the expected type of each use of a declared variable, and whether its single value is used as a list. */
function usesOfVariables(
  ast: DocumentNode,
  { variableDefinitions = [] }: OperationDefinitionNode,
): ReadonlyMap<ASTNode, { readonly expected: string; readonly isSingleAsList: boolean }> {
  const uses = new Map<ASTNode, { readonly expected: string; readonly isSingleAsList: boolean }>()
  const types = new Map(
    variableDefinitions.map((each) => [each.variable.name.value, typeFromAST(schema(), each.type)] as const),
  )
  const info = new TypeInfo(schema())
  visit(
    ast,
    visitWithTypeInfo(info, {
      Variable(node) {
        const expected = info.getInputType()
        if (expected == null) return
        const type = types.get(node.name.value)
        const list = getNullableType(expected)
        const mayBeNull = isNonNullType(expected) && !isNonNullType(type)
        const isSingleAsList =
          isListType(list) &&
          type !== undefined &&
          !isListType(getNullableType(type)) &&
          !mayBeNull &&
          isTypeSubTypeOf(schema(), getNullableType(type), getNullableType(list.ofType))
        uses.set(node, { expected: String(expected), isSingleAsList })
      },
    }),
  )
  return uses
}

/** Returns the kind, name and variables of a document with one operation, which may be invalid; null when it cannot be parsed. */
export function outlineOf(document: string): Pick<Plan, 'kind' | 'name' | 'variables'> | null {
  try {
    const [node, other] = operationsOf(parseDocument(document))
    if (node === undefined || other !== undefined || node.operation === 'subscription') return null
    return { kind: node.operation, name: node.name?.value ?? null, variables: variablesOf(node) }
  } catch (error) {
    if (error instanceof QueryError) return null
    throw error
  }
}

function parseDocument(document: string): DocumentNode {
  try {
    return limitDepth(() => parse(document, { maxTokens: 50_000 }))
  } catch (error) {
    if (error instanceof GraphQLError) throw new QueryError([syntaxProblem(document, error)])
    throw error
  }
}

/** Returns the problem with the place where the parser stopped, and a hint if brackets are open at the end of the document. */
function syntaxProblem(document: string, error: GraphQLError): Problem {
  const stop = readStop(document, error.positions?.[0] ?? 0)
  const hint = stop.found === TokenKind.EOF && stop.open !== '' ? 'Add the missing `}` or `)`.' : null
  return { ...problemOf(error, 'syntax', { kind: 'syntax', name: stop.found }), stop, hint }
}

/**
 * Runs a recursive function over a document.
 * @throws QueryError when the document is nested too deep
 */
export function limitDepth<T>(steps: () => T): T {
  try {
    return steps()
  } catch (error) {
    if (error instanceof RangeError) throw invalidDocument('The document is nested too deeply.', 'limit', 'depth', null)
    throw error
  }
}

function operationsOf(ast: DocumentNode): readonly OperationDefinitionNode[] {
  return ast.definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION)
}

function variablesOf(node: OperationDefinitionNode): readonly VariableDef[] {
  return (node.variableDefinitions ?? []).map((definition) => ({
    name: definition.variable.name.value,
    type: print(definition.type),
    required: definition.type.kind === Kind.NON_NULL_TYPE && definition.defaultValue === undefined,
    range: rangeOf(definition),
  }))
}

function selectOperation(operations: readonly OperationDefinitionNode[], name: string | null): OperationDefinitionNode {
  const [first, second] = operations
  if (name === null) {
    if (first === undefined) throw invalidDocument('The document contains no operation.', 'operation', '', null)
    if (second !== undefined)
      throw invalidDocument(
        'The document contains several operations: select one with `operationName`.',
        'operation',
        '',
        second,
      )
    return first
  }
  const namedOperation = operations.find((node) => node.name?.value === name)
  if (namedOperation === undefined)
    throw invalidDocument(`The document contains no operation named \`${name}\`.`, 'operation', name, null)
  return namedOperation
}

type Located = { readonly loc?: { readonly start: number; readonly end: number } | undefined }

function invalidDocument(message: string, kind: Mistake['kind'], name: string, node: Located | null): QueryError {
  const range = node === null ? null : rangeOf(node)
  return new QueryError([{ code: 'invalid', message, range, hint: null, mistake: { kind, name } }])
}

function rangeOf(node: Located): SourceRange {
  return { start: node.loc?.start ?? 0, end: node.loc?.end ?? 0 }
}

/** Returns the validation errors without errors about a missing argument whose name is only misspelled. */
function withoutFollowUpErrors(
  errors: readonly GraphQLError[],
  mistakes: ReadonlyMap<GraphQLError, Mistake>,
): readonly GraphQLError[] {
  const unknownArguments = new Set(
    errors.flatMap((each) => (mistakes.get(each)?.kind === 'unknown argument' ? (each.nodes ?? []) : [])),
  )
  return errors.filter((error) => {
    const mistake = mistakes.get(error)
    const [node] = error.nodes ?? []
    if (mistake?.kind !== 'missing argument' || node?.kind !== Kind.FIELD) return true
    return !node.arguments?.some(
      (each) => unknownArguments.has(each) && nearest(each.name.value, [mistake.name]) !== null,
    )
  })
}

/** Converts a validation error to a problem: a mistake in the document, or the use of a feature that only the platform has. */
function validationProblem(error: GraphQLError, mistake: Mistake): Problem {
  const problem = problemOf(error, 'invalid', mistake)
  const message = unsupportedMessage(mistake)
  if (message === null) return problem
  const { range } = problem
  return { code: 'not-served', message, range, hint: null, mistake }
}

/** Converts a GraphQL error to a problem. Its location is the name of the node, because the node itself may span many lines. */
function problemOf(error: GraphQLError, code: Problem['code'], mistake: Mistake): Problem {
  const [node] = error.nodes ?? []
  const namedNode: Located | undefined =
    node !== undefined && 'name' in node && node.kind !== Kind.VARIABLE ? node.name : undefined
  const [position] = error.positions ?? []
  const at = namedNode?.loc ?? node?.loc ?? (position === undefined ? null : { start: position, end: position + 1 })
  const message = wordsOf(error, mistake)
    .replaceAll('"', '`')
    .replace(/^Syntax Error: /, '')
    .replace(/^Expected Name\b/, 'Expected a name')
    .replace('Unexpected <EOF>', 'Something is missing at the end')
    .replace('<EOF>', 'the end')
  return {
    code,
    message,
    range: at === null ? null : { start: at.start, end: at.end },
    mistake,
    ...suggestionFor(error, mistake),
  }
}

/** Returns the words of an error without a suggestion. A missing selection is the only error whose suggestion cannot be turned off. */
function wordsOf({ message }: GraphQLError, { kind, name, type }: Mistake): string {
  return kind === 'missing selection'
    ? `Field "${name}" of type "${type}" must have a selection of subfields.`
    : message
}

/** Returns the correction of an error: similar names, or what to declare. */
function suggestionFor(error: GraphQLError, mistake: Mistake): Correction {
  const { kind, name, type } = mistake
  if (kind === 'variable type') return { hint: `Declare \`$${name}\` as \`${type}\`.` }
  if (kind === 'missing selection') return { hint: askFor([`${name} { ... }`]), meant: `${name} { ... }` }
  return kind === 'undeclared variable' ? declaredNamesHint(error) : similarNames(mistake, error, schema())
}

/** Returns a hint for an undeclared variable: the most similar name, or the declared ones. */
function declaredNamesHint({ nodes = [] }: GraphQLError): Correction {
  const [used, operation] = nodes
  if (used?.kind !== Kind.VARIABLE || operation?.kind !== Kind.OPERATION_DEFINITION) return { hint: null }
  const names = variablesOf(operation).map(({ name }) => `$${name}`)
  if (names.length === 0) return { hint: `Declare it: \`(${print(used)}: String)\` after the operation's name.` }
  const suggestion = nearest(print(used), names)
  return suggestion === null
    ? { hint: `The operation declares ${names.map((name) => `\`${name}\``).join(', ')}.` }
    : { hint: askFor([suggestion]), meant: suggestion.slice(1) }
}

/** Returns the variables that are used only inside of arguments that are passed as one value. */
function wholeVariables(operation: OperationDefinitionNode, fragments: Plan['fragments']): ReadonlySet<string> {
  const usedInside = new Set<string>()
  const usedOutside = new Set<string>()
  for (const fragment of fragments.values()) collectVariables(fragment, usedOutside)
  for (const selection of operation.selectionSet.selections) {
    if (selection.kind !== Kind.FIELD) {
      collectVariables(selection, usedOutside)
      continue
    }
    const field =
      operation.operation === 'mutation' ? mutationField(selection.name.value) : queryField(selection.name.value)
    const wholeArguments = field?.singleLeafArguments ?? []
    for (const argument of selection.arguments ?? [])
      collectVariables(argument, wholeArguments.includes(argument.name.value) ? usedInside : usedOutside)
    for (const directive of selection.directives ?? []) collectVariables(directive, usedOutside)
    if (selection.selectionSet !== undefined) collectVariables(selection.selectionSet, usedOutside)
  }
  return new Set([...usedInside].filter((name) => !usedOutside.has(name)))
}

function collectVariables(node: Parameters<typeof visit>[0], names: Set<string>): void {
  visit(node, {
    Variable(variable) {
      names.add(variable.name.value)
    },
  })
}
