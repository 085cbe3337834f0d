/** Infers the types of expressions and checks them. */
import { listAsObject } from '../../../core/diagnostics/codes/queries/list-as-object.ts'
import { checkBooleanValue } from '../rules/misleading/boolean-value.ts'
import { noteBraces, takesBraces } from '../rules/misleading/single-quoted-braces.ts'
import { checkFieldNotSelected } from '../rules/queries/field-not-selected.ts'
import { checkUnknownField, checkUnlikelyField } from '../rules/queries/unknown-field.ts'
import { checkBareKey } from '../rules/values/bare-key.ts'
import { checkImpossibleComparison } from '../rules/values/impossible-comparison.ts'
import { checkImpossibleOrder } from '../rules/values/impossible-order.ts'
import { checkMixedAndOr } from '../rules/values/mixed-and-or.ts'
import { checkNoComputedPart, checkNoParts } from '../rules/values/no-parts.ts'
import { checkQuestionMethod } from '../rules/values/question-method.ts'
import { checkUnknownPart, checkUserField } from '../rules/values/unknown-property.ts'
import type {
  Accessor,
  Expression,
  FilterCall,
  Filtered,
  HashLiteral,
  Logical,
  Lookup,
} from '../../../core/tree/ast.ts'
import { attached } from '../../../core/model/attached.ts'
import { childrenOf, evaluate, type ExpressionCases } from '../../../core/tree/expressions.ts'
import { BOOLEAN, isUnknown, NEVER, RANGE, STRING, type Type, UNKNOWN } from '../../../core/model/type.ts'
import { absentPart, QUERY_VALUE } from '../../../language/types/context.ts'
import { element, listElement, property } from '../../../language/types/lookup.ts'
import { asPart, isMutable, join, joinAll, literalTexts, members } from '../../../language/types/relate.ts'
import { hasNoParts } from '../../../language/types/no-parts.ts'
import { contextPath, isContext, nameOf } from '../walk/context-paths.ts'
import { checkLoneValue } from './condition.ts'
import { checkMissingKey } from './element-keys.ts'
import { applyFilter } from './filters.ts'
import { readName } from './names.ts'
import { noteVisitor } from '../walk/visitor-parts.ts'
import { isGuarded, ownerText, type PartRead, partText, type PathPart } from '../walk/part-read.ts'
import { constantTexts, exactText, type Texts } from '../../analyze/domains/constant-texts.ts'
import type { ReadPurpose } from '../walk/reads.ts'
import { BRACE, markedSpan } from '../../../core/source/mark.ts'
import type { Span } from '../../../core/source/span.ts'
import type { Walk } from '../walk/walk.ts'
import { literalType } from '../../../language/types/literal-type.ts'

/** How an expression is read. */
interface Reading {
  readonly walk: Walk
  readonly purpose: ReadPurpose
  /** Whether another name will also refer to the value, so that it may be changed through that name. */
  readonly flows: boolean
}

/** Returns the type of an expression. `flows`: another name will also refer to the value, so that it may be changed through that name. */
export function typeOf(walk: Walk, expression: Expression, purpose: ReadPurpose, flows: boolean): Type {
  const type = evaluate(expression, TYPES, { walk, purpose, flows })
  walk.env.observer?.value(expression, type, () => walk.namesNow())
  return type
}

const TYPES: ExpressionCases<Type, Reading> = {
  literal(expression, { walk, purpose }) {
    if (purpose !== 'test') noteBraces(walk, expression)
    return literalType(expression)
  },
  lookup: (expression, { walk, purpose, flows }) => lookupType(walk, expression, purpose, flows),
  range(expression, { walk }) {
    readChildren(walk, expression)
    return RANGE
  },
  interpolation(expression, { walk }) {
    readChildren(walk, expression)
    return STRING
  },
  hash: (expression, { walk }) => hashType(walk, expression),
  array({ items }, { walk }) {
    let element: Type = NEVER
    for (const item of items) {
      const type = typeOf(walk, item, 'pass', true)
      // Keeps literal texts: elements of an array literal are often parts of keys and names.
      element = join(element, type.kind === 'string' ? type : asPart(type))
    }
    return { kind: 'list', element }
  },
  comparison(expression, { walk, purpose }) {
    const left = typeOf(walk, expression.left, 'test', false)
    const right = typeOf(walk, expression.right, 'test', false)
    checkImpossibleComparison(walk, expression, left, right)
    checkImpossibleOrder(walk, expression, left, right)
    checkBooleanValue(walk, expression, purpose)
    // In base Liquid a comparison that is used as a value evaluates to its left operand.
    return walk.platform ? BOOLEAN : UNKNOWN
  },
  logical(expression, { walk, purpose }) {
    checkLoneValue(walk, expression)
    checkMixedAndOr(walk, expression)
    checkBooleanValue(walk, expression, purpose)
    checkOperands(walk, expression)
    return walk.platform ? BOOLEAN : UNKNOWN
  },
  filtered: (expression, { walk, purpose, flows }) => filteredType(walk, expression, purpose, flows),
}

function readChildren(walk: Walk, expression: Expression): void {
  for (const child of childrenOf(expression)) typeOf(walk, child, 'value', false)
}

/** Checks the operands of a logical chain. Only the first one is always evaluated. */
function checkOperands(walk: Walk, expression: Logical): void {
  typeOf(walk, expression.left, 'test', false)
  const { right } = expression
  walk.place.conditionally(() => {
    if (right.kind === 'logical') checkOperands(walk, right)
    else typeOf(walk, right, 'test', false)
  })
}

function lookupType(walk: Walk, expression: Lookup, purpose: ReadPurpose, flows: boolean): Type {
  const { name, path } = expression
  if (name === null) {
    walk.reads.readsAll = true
    readChildren(walk, expression)
    return UNKNOWN
  }
  // A `default` for a part does not replace the whole value, so the read of the variable counts as a test.
  let type = readName(walk, name.name, name.span, purpose === 'default' && path.length > 0 ? 'test' : purpose)
  const inContext = contextPath(walk, name, path)
  for (const part of [path[0], inContext?.[0]])
    if (part?.kind === 'key' && (part.name === 'exports' || part.name === 'session')) walk.reads.readsRequest = true
  if (inContext !== null) {
    readContext(walk, name.name, inContext, purpose)
    noteVisitor(walk, name.name, inContext[0])
  }
  for (const [at, accessor] of path.entries()) {
    const owner = type
    type = partOf(walk, { lookup: expression, at, accessor, purpose }, owner)
    walk.env.observer?.visitAccessor(accessor, owner, type)
  }
  if (flows && !isUnknown(type) && isMutable(type)) walk.flow.share(name.name)
  return type
}

/**
 * Returns where `assign` set the variable of a lookup, if no loop iterates over the variable; null otherwise. The author probably meant to
 * assign one element of the list.
 */
function findListAssignment(walk: Walk, { name }: Lookup): Span | null {
  const span = name === null ? undefined : walk.reads.setAt.get(name.name)
  if (name === null || span === undefined) return null
  const { text } = walk.siteTemplate.unit.file
  if (!/\bassign\s+$/.test(text.slice(Math.max(0, span.start - 20), span.start))) return null
  return new RegExp(`\\bin\\s+${name.name}\\b(?!\\s*[.[])`).test(text) ? null : span
}

/** Records a read of a `context` field, or a part of one, that does not exist outside of a request. */
function readContext(walk: Walk, name: string, [field, inner]: readonly Accessor[], purpose: ReadPurpose): void {
  if (field === undefined || purpose === 'test' || purpose === 'default' || walk.flow.dead) return
  const key = nameOf(field)
  const part = key === null ? null : absentPart(key, inner === undefined ? null : nameOf(inner))
  if (part !== null) walk.readPart(name, part, field.span)
}

/** Properties of every list. */
const LIST_PROPERTIES: ReadonlySet<string> = new Set(['size', 'first', 'last'])

/** Checks a read of a part of a value and returns the type of the part. */
function partOf(walk: Walk, part: PathPart, type: Type): Type {
  const { lookup, at, accessor, purpose } = part
  const index = accessor.kind === 'index' ? typeOf(walk, accessor.value, 'value', false) : null
  const key = nameOf(accessor)
  if (key === null) {
    const keys = accessor.kind === 'index' && index !== null ? exactKeys(walk, accessor.value, index) : null
    if (keys !== null) return partsOf(walk, part, type, keys)
    if (!isGuarded(part)) checkIndex(walk, part, type)
    return index?.kind === 'nil' ? UNKNOWN : element(type)
  }
  const read: PartRead = { lookup, at, accessor, purpose, key }
  if (checkQuestionMethod(walk, read)) return UNKNOWN
  // Nothing is known about most values.
  if (isUnknown(type)) return at === 1 ? partOfRequest(walk, read) : UNKNOWN
  const { missingKey, missingInSome, unlikely, type: partType } = property(type, key, accessor.kind === 'key')
  if (unlikely !== undefined) checkUnlikelyField(walk, read, unlikely)
  if (missingKey !== null) {
    if (!checkUnknownField(walk, accessor.span, ownerText(walk, read), key, missingKey))
      checkUnknownPart(walk, read, missingKey)
    return UNKNOWN
  }
  const lacksParts = hasNoParts(type, key, accessor.kind === 'key')
  const isTestReported = checkFieldNotSelected(walk, read, type, missingInSome)
  if (isGuarded(read) && !isTestReported && (missingInSome !== null || lacksParts))
    walk.reads.tested.add(partText(walk, read))
  if (!checkList(walk, read, type)) checkNoParts(walk, read, type, lacksParts)
  return isUnknown(partType) && at === 1 ? partOfRequest(walk, read) : partType
}

/** Reports a list that is used like one of its elements. Returns whether it was reported. */
function checkList(walk: Walk, read: PartRead, type: Type): boolean {
  const { lookup, at, accessor, key, purpose } = read
  if (accessor.kind !== 'key' || LIST_PROPERTIES.has(key)) return false
  const listElementType = listElement(type, purpose !== 'test')
  if (listElementType === null) return false
  const assigned = at === 0 ? findListAssignment(walk, lookup) : null
  const owner = ownerText(walk, read)
  walk.report(listAsObject(assigned ?? accessor.span, owner, assigned === null ? key : null, listElementType))
  return true
}

/** Returns the type of a part of `context` whose keys are not all known: request parameters and user fields. */
function partOfRequest(walk: Walk, { lookup, accessor, key }: PartRead): Type {
  if (!isContext(walk, lookup)) return UNKNOWN
  const [part] = lookup.path
  const name = part === undefined ? null : nameOf(part)
  const { settings } = walk.siteTemplate.unit
  // A GET request has no body, so its parameters come only from the address.
  if (name === 'params' && settings.kind === 'page' && settings.method === 'get') return QUERY_VALUE
  if (name === 'current_user') checkUserField(walk, accessor.span, key)
  return UNKNOWN
}

/** Reports an integer that is used as the key of a hash whose known keys do not include it. */
function checkIndex(walk: Walk, part: PathPart, type: Type): void {
  const { accessor } = part
  if (accessor.kind !== 'index' || accessor.value.kind !== 'literal' || accessor.value.value.type !== 'integer') return
  const knownType = members(type).filter((member) => member.kind !== 'nil')
  if (knownType.length === 0 || !knownType.every((member) => member.kind === 'record' && !member.open)) return
  const key = String(accessor.value.value.value)
  const { missingKey } = property(type, key, false)
  if (missingKey !== null) checkMissingKey(walk, accessor.span, ownerText(walk, part), key, missingKey)
}

/** Returns the type of a part under a computed key. A key with several possible values is reported only if all of them are missing. */
function partsOf(walk: Walk, part: PathPart, type: Type, keys: readonly string[]): Type {
  const lookups = keys.map((key) => property(type, key, false))
  const missingKey = lookups.every((lookup) => lookup.missingKey !== null) ? lookups[0]?.missingKey : null
  if (missingKey != null) {
    checkMissingKey(walk, part.accessor.span, ownerText(walk, part), keys[0] ?? '', missingKey)
    return UNKNOWN
  }
  checkNoComputedPart(walk, part, keys, type)
  return joinAll(lookups.map((lookup) => lookup.type))
}

/** Returns the possible values of a computed key; null unless all of them are known. */
export function exactKeys(walk: Walk, key: Expression, type: Type): readonly string[] | null {
  const texts = textsOf(walk, key, type)
  return texts?.every(({ exact }) => exact) === true ? texts.map(({ prefix }) => prefix) : null
}

function hashType(walk: Walk, expression: HashLiteral): Type {
  const fields = new Map<string, Type>()
  let open = false
  for (const { key, value } of expression.entries) {
    const type = asPart(typeOf(walk, value, 'pass', true))
    if (key.kind === 'quoted') fields.set(key.name, type)
    else if (key.kind === 'computed') {
      typeOf(walk, key.value, 'value', false)
      open = true
    } else if (checkBareKey(walk, key.name, key.span)) open = true
    else {
      fields.set(key.name, type)
      // The caller may have set a variable of that name.
      if (!walk.env.closed || walk.env.params?.has(key.name) === true) open = true
    }
  }
  return { kind: 'record', fields, open, origin: originOf(walk, expression) }
}

/** Cached, because the bodies of loops are checked several times. */
const origins = attached<HashLiteral, Span>()

function originOf(walk: Walk, expression: HashLiteral): Span {
  let origin = origins.get(expression)
  if (origin === undefined) {
    origin = markedSpan(expression.span, walk.siteTemplate.unit.file.text, BRACE)
    origins.set(expression, origin)
  }
  return origin
}

function filteredType(walk: Walk, expression: Filtered, purpose: ReadPurpose, flows: boolean): Type {
  const { input, filters } = expression
  if (filters.length === 0) return typeOf(walk, input, purpose, flows)
  // `default` and `to_positive_integer` replace nil.
  const hasDefault = filters.some((filter) => filter.name.name === 'default')
  const replacesNil = filters[0]?.name.name === 'to_positive_integer'
  const inputPurpose = hasDefault ? 'default' : replacesNil ? 'test' : 'value'
  const type = walk.findings.readFilterInput(filters.some(takesBraces), () => typeOf(walk, input, inputPurpose, true))
  return applyFilters(walk, filters, type, input)
}

/** Checks a chain of filters and returns the type of its result. `source` is the piped expression; null if there is none. */
export function applyFilters(walk: Walk, filters: readonly FilterCall[], input: Type, source: Expression | null): Type {
  let type = input
  let filterSource = source
  for (const [index, call] of filters.entries()) {
    const { positional, named } = walk.findings.readFilterInput(takesBraces(call), () => ({
      positional: call.positional.map((each) => typeOf(walk, each, 'pass', true)),
      named: call.named.map((each) => typeOf(walk, each.value, 'pass', true)),
    }))
    const at = index
    const texts = () =>
      source === null
        ? null
        : textsNow(walk, { kind: 'filtered', input: source, filters: filters.slice(0, at), span: source.span })
    type = applyFilter(walk, call, { input: type, positional, named, source: filterSource, texts })
    filterSource = null
  }
  return type
}

/** Returns the texts that a value can be. `type` is the type of the value. */
export function textsOf(walk: Walk, expression: Expression, type: Type): Texts {
  if (expression.kind === 'filtered' && expression.filters.length === 0) return textsOf(walk, expression.input, type)
  if (expression.kind === 'filtered' || expression.kind === 'interpolation') return textsNow(walk, expression)
  const known = expression.kind === 'lookup' ? textsOfVariable(walk, expression) : null
  return known ?? exactTexts(type)
}

/** Returns the texts that an expression can be here, without type-checking it again. */
function textsNow(walk: Walk, expression: Expression): Texts {
  return constantTexts(expression, (lookup) => {
    if (lookup.name === null || lookup.path.length > 0) return null
    return textsOfVariable(walk, lookup) ?? exactTexts(walk.typeNow(lookup.name.name))
  })
}

function textsOfVariable(walk: Walk, { name, path }: Lookup): Texts {
  return name === null || path.length > 0 ? null : walk.texts(name.name)
}

function exactTexts(type: Type): Texts {
  return literalTexts(type)?.map(exactText) ?? null
}
