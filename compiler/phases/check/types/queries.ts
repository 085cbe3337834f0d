/** Checks the queries that a template runs: finds their operations, checks their variables, and infers their results. */
import { checkBareName } from '../rules/queries/bare-query-name.ts'
import { reportMissingQuery } from '../rules/queries/missing-query.ts'
import { checkMissingVariable, countsAsAbsent } from '../rules/queries/missing-variable.ts'
import { tagArgumentType } from '../../../core/diagnostics/codes/tags-and-filters/tag-argument-type.ts'
import { reportUndeclaredVariables, undeclaredVariables } from '../rules/queries/unknown-variable.ts'
import { checkVariableType } from '../rules/queries/variable-type.ts'
import { findNearestPath } from '../../../core/diagnostics/suggest.ts'
import { type Expression, unfiltered } from '../../../core/tree/ast.ts'
import { inlineKey, type Operation, storedNamed } from '../../../core/model/operation.ts'
import { type Type, UNKNOWN } from '../../../core/model/type.ts'
import type { QueryUse } from '../../../language/tags/tag.ts'
import { meansHash, takesHash } from '../../../language/types/old-variables.ts'
import { categories, describe, joinAll, members } from '../../../language/types/relate.ts'
import { applyFilters, textsOf, typeOf } from './expression.ts'
import type { QueryArgument } from '../walk/query-argument.ts'
import { misspelledArguments } from '../walk/slips.ts'
import { variableOf } from '../walk/literal-text.ts'
import type { Walk } from '../walk/walk.ts'

interface QueryTargets {
  readonly operations: readonly Operation[]
  /** Whether other stored queries are possible. */
  readonly open: boolean
  /** The stored queries that were probably meant by a misspelled name. */
  readonly suggested: readonly string[]
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
      isNil: isNil(value),
      fraction: fractionOf(value),
      isContextHash: isContextHash(walk, value),
    })
  }
  const spread = use.spread === null ? null : typeOf(walk, use.spread, 'pass', true)
  if (use.spread !== null && spread !== null && isNeverHash(spread))
    walk.report(tagArgumentType(use.spread.span, 'graphql', 'args', 'hash', describe(spread)))
  if (!open && operations.some(({ analysis }) => analysis.kind === 'mutation')) walk.findings.addSideEffect()
  walk.findings.queries.push({
    names: operations.flatMap(({ name }) => name ?? []),
    inline: use.name === null,
    open,
    suggested,
    takesRecords: takesRecords(operations, named, spread),
    ...walk.flow.placeOf(use.span),
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
      checkBareName(walk, name, prefix, fullName, operation)
    } else if (exact) {
      if (reportMissingQuery(walk, name, prefix, texts.length === 1)) {
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
  const findArgument = (name: string) => named.get(name) ?? findInSpread(use, name, spread)
  const undeclared = undeclaredVariables(operation, use.arguments)
  const missing = operation.variables.filter(({ name, required }) => required && findArgument(name) === null)
  const misspellings = misspelledArguments(
    [...undeclared.keys()],
    missing.map(({ name }) => name),
  )
  reportUndeclaredVariables(walk, operation, undeclared, new Set(misspellings.values()))
  for (const variable of new Map(operation.variables.map((each) => [each.name, each])).values()) {
    const argument = findArgument(variable.name)
    if (argument === 'unknown') continue
    if (argument === null || countsAsAbsent(argument, variable))
      checkMissingVariable(walk, use.span, operation, variable, misspellings.get(variable.name) ?? null, undeclared)
    else checkVariableType(walk, operation, variable, argument)
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
  const name = variableOf(value)
  const keys = name === null ? null : walk.oldKeys(name)
  return keys !== null && meansHash(keys)
}

function isNil(value: Expression): boolean {
  const bareExpression = unfiltered(value)
  return bareExpression.kind === 'literal' && bareExpression.value.type === 'nil'
}

/** Returns a literal number that is not whole; null for other expressions. */
function fractionOf(value: Expression): number | null {
  const literal = value.kind === 'literal' && value.value.type === 'float' ? value.value.value : null
  return literal === null || Number.isInteger(literal) ? null : literal
}

/** Returns the argument that `args` passes for a variable; null if it definitely has no such key. */
function findInSpread(use: QueryUse, name: string, spread: Type | null): QueryArgument | 'unknown' | null {
  if (spread === null || spread.kind === 'nil') return null
  if (spread.kind !== 'record') return 'unknown'
  const type = spread.fields.get(name)
  if (type !== undefined)
    return { type, span: use.spread?.span ?? use.span, isNil: false, fraction: null, isContextHash: false }
  return spread.open ? 'unknown' : null
}
