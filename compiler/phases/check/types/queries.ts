/** Checks the queries that a template runs: finds their operations, checks their variables, and infers their results. */
import { withAbsentModule } from '../../../core/diagnostics/absent-modules.ts'
import { bareQueryName } from '../rules/queries/bare-query-name.ts'
import { missingQuery } from '../rules/queries/missing-query.ts'
import { missingVariable } from '../rules/queries/missing-variable.ts'
import { tagArgumentType } from '../../../core/diagnostics/codes/tags-and-filters/tag-argument-type.ts'
import { unknownVariable } from '../rules/queries/unknown-variable.ts'
import { variableType } from '../rules/queries/variable-type.ts'
import { mismatchSeverity } from '../../../core/diagnostics/mismatch-severity.ts'
import { findNearestPath } from '../../../core/diagnostics/suggest.ts'
import { type Expression, unfiltered } from '../../../core/tree/ast.ts'
import { inlineKey, type InputShape, type Operation, storedNamed } from '../../../core/model/operation.ts'
import { type Type, UNKNOWN } from '../../../core/model/type.ts'
import type { Span } from '../../../core/source/span.ts'
import type { QueryUse } from '../../../language/tags/tag.ts'
import { meansHash, takesHash } from '../../../language/types/old-variables.ts'
import { categories, describe, joinAll, members } from '../../../language/types/relate.ts'
import { applyFilters, textsOf, typeOf } from './expression.ts'
import { literalText } from '../walk/literal-text.ts'
import { misspelledArguments } from '../walk/slips.ts'
import type { Walk } from '../walk/walk.ts'

interface QueryTargets {
  readonly operations: readonly Operation[]
  /** Whether other stored queries are possible. */
  readonly open: boolean
  /** The stored queries that were probably meant by a misspelled name. */
  readonly suggested: readonly string[]
}

interface QueryArgument {
  readonly type: Type
  readonly span: Span
  /** The place of the argument's name; null for a key of `args`. */
  readonly name: Span | null
  /** Whether the argument is the literal `nil`, which counts as absent. */
  readonly isNil: boolean
  /**
   * Whether the argument is a hash in `context` that was read by its bare name. It counts as absent if the query's variable does not take a
   * hash.
   */
  readonly isContextHash: boolean
}

/** Checks a query and returns the type of its result after its filters. */
export function runQuery(walk: Walk, use: QueryUse): Type {
  const { operations, open, suggested } = use.name === null ? inlineTarget(walk, use) : storedTargets(walk, use.name)
  const named = new Map<string, QueryArgument>()
  for (const { name, value } of use.arguments) {
    const isNeeded = !open && operations.length > 0 && operations.every((each) => isRequired(each, name.name))
    const type = typeOf(walk, value, isNeeded ? 'need' : 'pass', true)
    named.set(name.name, {
      type,
      span: value.span,
      name: name.span,
      isNil: isNil(value),
      isContextHash: isContextHash(walk, value),
    })
  }
  const spread = use.spread === null ? null : typeOf(walk, use.spread, 'pass', true)
  if (use.spread !== null && spread !== null && isNeverHash(spread))
    walk.report(tagArgumentType(use.spread.span, 'graphql', 'args', 'hash', describe(spread)))
  if (!open && operations.some(({ analysis }) => analysis.kind === 'mutation')) walk.findings.addSideEffect()
  walk.findings.addQuery({
    names: operations.flatMap(({ name }) => name ?? []),
    inline: use.name === null,
    open,
    suggested,
    span: use.span,
    takesRecords: takesRecords(operations, named, spread),
    inLoop: walk.flow.inLoop,
    isCached: walk.flow.inCache,
    inTransaction: walk.flow.inTransaction,
  })
  if (!open) for (const operation of operations) checkVariables(walk, use, operation, named, spread)
  const type = open || operations.length === 0 ? UNKNOWN : joinAll(operations.map(({ result }) => result))
  return applyFilters(walk, use.filters, type, null)
}

/** Returns whether a variable may hold a record that another query selects. A value of an unknown type may, if the variable takes hashes. */
function takesRecords(
  operations: readonly Operation[],
  named: ReadonlyMap<string, QueryArgument>,
  spread: Type | null,
): boolean {
  const mayTakeHash = (name: string): boolean =>
    operations.some(({ variables }) => variables.some((each) => each.name === name && takesHash(each.shape)))
  const spreadTypes = spread?.kind === 'record' ? [...spread.fields] : []
  const types = [...spreadTypes, ...[...named].map(([name, { type }]) => [name, type] as const)]
  return types.some(([name, type]) => holdsRecord(type, mayTakeHash(name)))
}

function holdsRecord(type: Type, countsUnknown: boolean): boolean {
  return members(type).some((member) => {
    if (member.kind === 'unknown') return countsUnknown
    if (member.kind === 'list' || member.kind === 'hash') return holdsRecord(member.element, countsUnknown)
    if (member.kind !== 'record') return false
    return (
      member.origin?.source === 'query' || [...member.fields.values()].some((each) => holdsRecord(each, countsUnknown))
    )
  })
}

/** Returns the operation in the body of the tag. The operation is unknown if Liquid prints parts of the document. */
function inlineTarget(walk: Walk, { body }: QueryUse): QueryTargets {
  const first = body[0]
  const operation = first?.kind === 'text' ? walk.env.operations.inline.get(inlineKey(first.span)) : undefined
  return { operations: operation === undefined ? [] : [operation], open: operation === undefined, suggested: [] }
}

/** Returns the stored queries that a name can refer to, and reports a name without a query. */
function storedTargets(walk: Walk, name: Expression): QueryTargets {
  const { storedOperations, bareNames } = walk.env.operations
  const type = typeOf(walk, name, 'value', false)
  const texts = textsOf(walk, name, type)
  if (texts === null) return { operations: [...storedOperations.values()], open: true, suggested: [] }
  const operations = new Map<string, Operation>()
  const suggested: string[] = []
  let open = false
  for (const { prefix, suffix, exact } of texts) {
    const operation = exact ? storedNamed(walk.env.operations, prefix) : undefined
    if (operation !== undefined) {
      const fullName = operation.name ?? prefix
      operations.set(fullName, operation)
      if (fullName !== prefix) walk.report(bareQueryName(name.span, prefix, fullName, operation.span))
    } else if (exact) {
      const { modules } = walk.env.site
      const diagnostic = withAbsentModule(modules, prefix, missingQuery(name.span, prefix, storedOperations.keys()))
      // If several names are possible, this one may never be used. A query of an absent module may run only where the module is installed.
      const isSure = texts.length === 1 && (diagnostic.absent === undefined || literalText(name) !== null)
      walk.report(isSure ? diagnostic : { ...diagnostic, severity: 'warning' })
      if (diagnostic.absent !== undefined) {
        open = true
        continue
      }
      const nearestName = findNearestPath(prefix, storedOperations.keys())
      if (nearestName !== null) suggested.push(nearestName)
    } else {
      open = true
      for (const each of [...storedOperations.keys(), ...bareNames.keys()]) {
        const candidate = storedNamed(walk.env.operations, each)
        const isCandidate =
          each.length >= prefix.length + suffix.length && each.startsWith(prefix) && each.endsWith(suffix)
        if (isCandidate && candidate !== undefined) operations.set(candidate.name ?? each, candidate)
      }
    }
  }
  return { operations: [...operations.values()], open, suggested }
}

// ---- variables --------------------------------------------------------------------------------------------------------

function checkVariables(
  walk: Walk,
  use: QueryUse,
  operation: Operation,
  named: ReadonlyMap<string, QueryArgument>,
  spread: Type | null,
): void {
  // The variables of a document with a syntax error are unknown.
  if (operation.analysis.problems.some(({ code }) => code === 'syntax')) return
  const declaredVariables = new Map(operation.variables.map((variable) => [variable.name, variable]))
  const findArgument = (name: string) => named.get(name) ?? findInSpread(use, name, spread)
  const unknown = new Map(
    [...named].flatMap(([name, { name: span }]) =>
      span === null || declaredVariables.has(name) ? [] : [[name, span] as const],
    ),
  )
  const missing = operation.variables.filter(({ name, required }) => required && findArgument(name) === null)
  const misspellings = misspelledArguments(
    [...unknown.keys()],
    missing.map(({ name }) => name),
  )
  const misspelled = new Set(misspellings.values())
  for (const [name, span] of unknown) {
    if (!misspelled.has(name))
      walk.report(
        unknownVariable(span, operation.name, name, [...declaredVariables.keys()], declarationSpan(operation)),
      )
  }
  for (const variable of declaredVariables.values()) {
    const argument = findArgument(variable.name)
    if (argument === 'unknown') continue
    if (argument === null || argument.isNil || (argument.isContextHash && !takesHash(variable.shape))) {
      if (!variable.required) continue
      const misspelling = misspellings.get(variable.name) ?? null
      const span = (misspelling === null ? undefined : unknown.get(misspelling)) ?? use.span
      walk.report(missingVariable(span, operation.name, variable.name, variable.type, variable.span, misspelling))
      continue
    }
    if (fits(argument.type, variable.shape)) continue
    const diagnostic = variableType(
      argument.span,
      operation.name,
      variable.name,
      variable.type,
      describeArgument(argument.type),
      variable.span,
    )
    const severity = mismatchSeverity(walk.env.site)
    if (severity !== null) walk.report({ ...diagnostic, severity: walk.flow.inTry ? 'warning' : severity })
  }
}

/** Returns whether a value is definitely not a hash, a text of a hash, or nil, which counts as absent. */
function isNeverHash(type: Type): boolean {
  const kinds = categories(type)
  if (kinds === null || kinds.size === 0) return false
  return ![...kinds].some((kind) => kind === 'hash' || kind === 'text' || kind === 'nil' || kind === 'unknown')
}

function isRequired({ variables }: Operation, name: string): boolean {
  return variables.some((variable) => variable.name === name && variable.required)
}

function isContextHash(walk: Walk, value: Expression): boolean {
  const bareExpression = unfiltered(value)
  if (bareExpression.kind !== 'lookup' || bareExpression.name === null || bareExpression.path.length > 0) return false
  const keys = walk.oldKeys(bareExpression.name.name)
  return keys !== null && meansHash(keys)
}

function isNil(value: Expression): boolean {
  const bareExpression = unfiltered(value)
  return bareExpression.kind === 'literal' && bareExpression.value.type === 'nil'
}

/** Returns the place of the variable declarations, or the start of the operation if it has none. */
function declarationSpan({ variables, span }: Operation): Span {
  const firstSpan = variables[0]?.span
  const last = variables.at(-1)?.span
  return firstSpan === undefined || last === undefined
    ? { ...span, end: span.start }
    : { ...firstSpan, end: Math.max(firstSpan.end, last.end) }
}

/** Returns the argument that `args` passes for a variable; null if it definitely has no such key. */
function findInSpread(use: QueryUse, name: string, spread: Type | null): QueryArgument | 'unknown' | null {
  if (spread === null || spread.kind === 'nil') return null
  if (spread.kind !== 'record') return 'unknown'
  const type = spread.fields.get(name)
  if (type !== undefined)
    return { type, span: use.spread?.span ?? use.span, name: null, isNil: false, isContextHash: false }
  return spread.open ? 'unknown' : null
}

function describeArgument(type: Type): string {
  const only = type.kind === 'string' ? type.literal : undefined
  return only === undefined ? describe(type) : `text ${JSON.stringify(only)}`
}

/** Returns whether a variable may take a value of the type. An unknown type fits, and nil counts as absent. */
function fits(type: Type, shape: InputShape): boolean {
  const types = members(type).filter((member) => member.kind !== 'nil')
  return types.length === 0 || types.some((member) => fitsOne(member, shape))
}

function fitsOne(type: Type, shape: InputShape): boolean {
  if (type.kind === 'unknown' || type.kind === 'never' || shape.kind === 'any') return true
  // Other values are converted to text: a hash or a list to JSON.
  if (shape.kind === 'text') return true
  if (shape.kind === 'list') return fits(type.kind === 'list' ? type.element : type, shape.element)
  if (type.kind === 'list') return false
  if (shape.kind === 'object') return fitsObject(type, shape)
  if (type.kind === 'record' || type.kind === 'hash' || type.kind === 'range') return false
  return fitsScalar(type, shape)
}

function fitsObject(type: Type, shape: Extract<InputShape, { kind: 'object' }>): boolean {
  if (type.kind === 'hash') return true
  if (type.kind !== 'record') return false
  const fields = shape.fields()
  for (const [name, field] of type.fields) {
    const expected = fields.get(name)
    if (expected === undefined || !fits(field, expected)) return false
  }
  return true
}

const NUMBER_TEXT = /^\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?\s*$/i

/** Returns whether a scalar fits. Numbers and texts are converted to each other if possible; an empty text counts as absent. */
function fitsScalar(type: Type, shape: InputShape): boolean {
  const literal = type.kind === 'string' ? type.literal : undefined
  switch (shape.kind) {
    case 'id':
      return type.kind !== 'boolean'
    case 'integer':
    case 'float':
      if (type.kind === 'boolean') return false
      if (literal === undefined || literal === '') return true
      return NUMBER_TEXT.test(literal) && (shape.kind === 'float' || Number.isInteger(Number(literal)))
    case 'boolean':
      // 1 and 0 are converted to true and false.
      if (type.kind === 'float') return false
      return literal === undefined || ['', 'true', 'false', 't', 'f'].includes(literal)
    case 'enum':
      if (type.kind !== 'string') return false
      // `desc` is converted to `DESC`.
      if (literal === undefined || literal === '') return true
      return [literal, literal.toUpperCase(), literal.toLowerCase()].some((text) => shape.values.includes(text))
    default:
      return true
  }
}
