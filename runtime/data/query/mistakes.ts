/** Tells what a validation error of graphql-js is about, from the rule that reports it and its nodes. The errors themselves are text only. */
import {
  type ASTNode,
  FieldsOnCorrectTypeRule,
  getNamedType,
  GraphQLError,
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
  Kind,
  KnownArgumentNamesRule,
  KnownDirectivesRule,
  KnownFragmentNamesRule,
  KnownTypeNamesRule,
  Lexer,
  NoUndefinedVariablesRule,
  NoUnusedFragmentsRule,
  print,
  ProvidedRequiredArgumentsRule,
  ScalarLeafsRule,
  Source,
  TokenKind,
  type ValidationContext,
  type ValidationRule,
  ValuesOfCorrectTypeRule,
  VariablesAreInputTypesRule,
} from 'graphql'
import type { Correction, Mistake, SyntaxStop } from './problem.ts'
import { askFor, namesLike } from './suggest.ts'

/** `index` counts the errors that the rule reports for the same node. */
type ReadMistake = (node: ASTNode, context: ValidationContext, index: number) => Mistake | null

const READERS: ReadonlyMap<ValidationRule, ReadMistake> = new Map<ValidationRule, ReadMistake>([
  [FieldsOnCorrectTypeRule, (node, context) => named('unknown field', node, context.getParentType()?.name)],
  [
    KnownArgumentNamesRule,
    (node, context) =>
      context.getDirective()
        ? named('unknown directive argument', node, undefined, context.getDirective()?.name)
        : named('unknown argument', node, context.getParentType()?.name, fieldOf(context)),
  ],
  [ProvidedRequiredArgumentsRule, readMissingArgument],
  [ValuesOfCorrectTypeRule, readWrongValue],
  [KnownTypeNamesRule, (node) => named('unknown type', node)],
  [KnownFragmentNamesRule, (node) => (node.kind === Kind.NAME ? mistake('unknown fragment', node.value) : null)],
  [KnownDirectivesRule, (node, context) => (context.getDirective() ? null : named('unknown directive', node))],
  [VariablesAreInputTypesRule, (node) => mistake('output type', print(node))],
  [NoUndefinedVariablesRule, (node) => named('undeclared variable', node)],
  [NoUnusedFragmentsRule, (node) => named('unused fragment', node)],
  [
    ScalarLeafsRule,
    (node, context) =>
      node.kind === Kind.SELECTION_SET
        ? mistake('surplus selection', fieldOf(context) ?? '')
        : mistake('missing selection', fieldOf(context) ?? '', String(context.getType())),
  ],
])

/** Returns the rule. It stores what its errors are about in `mistakes`, and passes the errors on. */
export function withMistakes(rule: ValidationRule, mistakes: Map<GraphQLError, Mistake>): ValidationRule {
  const read = READERS.get(rule)
  return (context) => {
    const counts = new Map<ASTNode, number>()
    const reportError = (error: GraphQLError): void => {
      const [node] = error.nodes ?? []
      let found: Mistake | null = null
      if (node !== undefined && read !== undefined) {
        const index = counts.get(node) ?? 0
        counts.set(node, index + 1)
        found = read(node, context, index)
      }
      mistakes.set(error, found ?? ruleMistake(error))
      context.reportError(error)
    }
    return rule(Object.create(context, { reportError: { value: reportError } }))
  }
}

/** Returns the mistake of a rule that tells only its nodes. */
export function ruleMistake({ nodes = [] }: GraphQLError): Mistake {
  const names = nodes.map((node) => (node.kind === Kind.NAME ? node.value : (named('other rule', node)?.name ?? '')))
  return mistake('other rule', names.join(' '))
}

/** Maximum number of names in a suggestion. */
const MAX_SUGGESTIONS = 5

/** Suggests the names that are similar to an unknown one. They are the suggestions of graphql-js, which its errors contain only as text. */
export function similarNames(
  { kind, name, type = '', field = '' }: Mistake,
  error: GraphQLError,
  schema: GraphQLSchema,
): Correction {
  const owner = schema.getType(type.replace(/[[\]!]/g, ''))
  const [node] = error.nodes ?? []
  if (/^(?:unknown|wrong) value$/.test(kind)) {
    if (!isEnumType(owner) || node === undefined || node.kind === Kind.NULL) return { hint: null }
    const values = namesLike(
      print(node),
      owner.getValues().map((each) => each.name),
    )
    return values.length === 0 ? { hint: null } : { hint: askFor(values.slice(0, MAX_SUGGESTIONS), 'the enum value ') }
  }
  const names = namesLike(name, knownNames(kind, owner, field, schema))
  const [meant, another] = names
  if (meant === undefined) return { hint: null }
  return { hint: askFor(names.slice(0, MAX_SUGGESTIONS)), ...(another === undefined && { meant }) }
}

/** Returns the names that are valid in the place of an unknown one. */
function knownNames(
  kind: Mistake['kind'],
  owner: GraphQLNamedType | undefined,
  field: string,
  schema: GraphQLSchema,
): readonly string[] {
  switch (kind) {
    case 'unknown type':
      return Object.keys(schema.getTypeMap())
    case 'unknown directive argument':
      return (schema.getDirective(field)?.args ?? []).map((each) => each.name)
    case 'unknown argument':
      return isObjectType(owner) ? (owner.getFields()[field]?.args ?? []).map((each) => each.name) : []
    case 'unknown field':
      return isObjectType(owner) || isInterfaceType(owner) ? Object.keys(owner.getFields()) : []
    case 'unknown input field':
      return isInputObjectType(owner) ? Object.keys(owner.getFields()) : []
    default:
      return []
  }
}

function mistake(kind: Mistake['kind'], name: string, type?: string, field?: string): Mistake {
  return { kind, name, ...(type !== undefined && { type }), ...(field !== undefined && { field }) }
}

/** Returns where a parser stopped, at an offset of a document. Only the tokens are read, because the error of the parser is text only. */
export function readStop(document: string, offset: number): SyntaxStop {
  const lexer = new Lexer(new Source(document))
  const open: string[] = []
  let kinds: readonly string[] = []
  let found = document[offset] ?? ''
  try {
    for (let token = lexer.advance(); ; token = lexer.advance()) {
      if (token.start >= offset || token.kind === TokenKind.EOF) {
        found = token.kind
        break
      }
      if (/^[({[]$/.test(token.kind)) open.push(token.kind)
      else if (/^[)}\]]$/.test(token.kind)) open.pop()
      kinds = [...kinds.slice(-2), token.kind]
    }
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error
  }
  return { found, open: open.join(''), needsColon: needsColon(kinds, open), previous: kinds.at(-1) ?? '' }
}

/** Returns whether the last token is the name of an argument, of a key or of a declared variable, and not a value. */
function needsColon(kinds: readonly string[], open: readonly string[]): boolean {
  if (kinds.at(-1) !== TokenKind.NAME || !open.includes('(') || open.at(-1) === '[') return false
  const before = kinds.at(-2) === TokenKind.DOLLAR ? kinds.at(-3) : kinds.at(-2)
  return before !== TokenKind.COLON && before !== TokenKind.EQUALS && before !== TokenKind.AT
}

/** Returns the mistake about the name of a node. */
function named(kind: Mistake['kind'], node: ASTNode, type?: string, field?: string): Mistake | null {
  return 'name' in node && node.name !== undefined && typeof node.name !== 'string'
    ? mistake(kind, node.name.value, type, field)
    : null
}

function fieldOf(context: ValidationContext): string | undefined {
  return context.getFieldDef()?.name
}

function readMissingArgument(node: ASTNode, context: ValidationContext, index: number): Mistake | null {
  if (node.kind !== Kind.FIELD) return null
  const given = new Set(node.arguments?.map(({ name }) => name.value))
  const missing = context.getFieldDef()?.args.filter((each) => isRequiredArgument(each) && !given.has(each.name))
  const argument = missing?.[index]
  return argument === undefined
    ? null
    : mistake('missing argument', argument.name, String(argument.type), fieldOf(context))
}

function readWrongValue(node: ASTNode, context: ValidationContext, index: number): Mistake | null {
  if (node.kind === Kind.OBJECT_FIELD)
    return named('unknown input field', node, getNamedType(context.getParentInputType())?.name)
  const expected = context.getInputType()
  const type = getNamedType(expected)
  if (node.kind === Kind.OBJECT && isInputObjectType(type)) {
    const given = new Set(node.fields.map(({ name }) => name.value))
    const missing = Object.values(type.getFields()).filter(
      (each) => isRequiredInputField(each) && !given.has(each.name),
    )
    const field = missing[index]
    return field === undefined ? null : mistake('missing input field', field.name, type.name)
  }
  if (isEnumType(type) && node.kind === Kind.ENUM) return mistake('unknown value', node.value, type.name)
  return mistake('wrong value', 'value' in node ? String(node.value) : '', String(expected))
}
