/** The type of a value, and what is wrong with it. */
import { bareKey } from '../../../core/diagnostics/codes/values/bare-key.ts'
import { booleanValue } from '../../../core/diagnostics/codes/misleading/boolean-value.ts'
import { fieldNotSelected } from '../../../core/diagnostics/codes/queries/field-not-selected.ts'
import { listAsObject } from '../../../core/diagnostics/codes/queries/list-as-object.ts'
import { noParts } from '../../../core/diagnostics/codes/values/no-parts.ts'
import { isQuestionMethod, questionMethod } from '../../../core/diagnostics/codes/values/question-method.ts'
import { unknownField } from '../../../core/diagnostics/codes/queries/unknown-field.ts'
import { findNearest, findTypo } from '../../../core/diagnostics/suggest.ts'
import type {
  Accessor,
  Expression,
  FilterCall,
  Filtered,
  HashLiteral,
  Logical,
  Lookup,
} from '../../../core/model/ast.ts'
import { BOOLEAN, type MissingKey, NEVER, NIL, RANGE, STRING, type Type, UNKNOWN } from '../../../core/model/type.ts'
import { absentPart, QUERY_VALUE, USER_FIELDS } from '../../../language/types/context.ts'
import { element, listElement, property } from '../../../language/types/lookup.ts'
import { asPart, describe, isMutable, join, joinAll, literalTexts, members } from '../../../language/types/relate.ts'
import { hasNoParts } from '../../../language/types/no-parts.ts'
import { belowContext, nameOf } from './below-context.ts'
import { noteBraces, takesBraces } from './braces.ts'
import { checkComparison, checkLogical } from './condition.ts'
import { reportMissing } from './element-keys.ts'
import { applyFilter } from './filters.ts'
import { noteVisitor } from './shared-caches.ts'
import { mergePatterns, type TextPattern } from './state.ts'
import type { ReadPurpose } from './reads.ts'
import type { Span } from '../../../core/source/span.ts'
import type { Walk } from './walk.ts'
import { literalType } from '../../../language/types/literal-type.ts'

/** The type of an expression. `flows`: another name will hold the value too, through which it may be changed. */
export function typeOf(walk: Walk, expression: Expression, purpose: ReadPurpose, flows: boolean): Type {
  const type = typeByKind(walk, expression, purpose, flows)
  walk.env.observer?.value(expression, type, () => walk.namesNow())
  return type
}

function typeByKind(walk: Walk, expression: Expression, purpose: ReadPurpose, flows: boolean): Type {
  switch (expression.kind) {
    case 'literal':
      if (purpose !== 'test') noteBraces(walk, expression)
      return literalType(expression)
    case 'lookup':
      return lookupType(walk, expression, purpose, flows)
    case 'range':
      typeOf(walk, expression.from, 'value', false)
      typeOf(walk, expression.to, 'value', false)
      return RANGE
    case 'interpolation':
      for (const part of expression.parts) if (typeof part !== 'string') typeOf(walk, part, 'value', false)
      return STRING
    case 'hash':
      return hashType(walk, expression)
    case 'array': {
      let of: Type = NEVER
      for (const item of expression.items) {
        const type = typeOf(walk, item, 'pass', true)
        // The texts of a list that is written out are often parts of keys and names.
        of = join(of, type.kind === 'string' ? type : asPart(type))
      }
      return { kind: 'list', of }
    }
    case 'comparison': {
      const left = typeOf(walk, expression.left, 'test', false)
      const right = typeOf(walk, expression.right, 'test', false)
      checkComparison(walk, expression, left, right)
      if (purpose !== 'test' && walk.platform) walk.report(booleanValue(expression.span))
      // Base Liquid takes the left operand of a comparison that is a value.
      return walk.platform ? BOOLEAN : UNKNOWN
    }
    case 'logical':
      checkLogical(walk, expression)
      if (purpose !== 'test' && walk.platform) walk.report(booleanValue(expression.span))
      checkOperands(walk, expression)
      return walk.platform ? BOOLEAN : UNKNOWN
    case 'filtered':
      return filteredType(walk, expression, purpose, flows)
  }
}

/** The operands of a chain, of which all but the first may not be evaluated. */
function checkOperands(walk: Walk, expression: Logical): void {
  typeOf(walk, expression.left, 'test', false)
  const { right } = expression
  walk.flow.conditionally(() => {
    if (right.kind === 'logical') checkOperands(walk, right)
    else typeOf(walk, right, 'test', false)
  })
}

function lookupType(walk: Walk, expression: Lookup, purpose: ReadPurpose, flows: boolean): Type {
  const { name, path } = expression
  if (name === null) {
    walk.reads.addAll()
    for (const accessor of path) if (accessor.kind === 'index') typeOf(walk, accessor.value, 'value', false)
    return UNKNOWN
  }
  // A default for a part does not stand for the whole.
  let type = walk.name(name.name, name.span, purpose === 'default' && path.length > 0 ? 'test' : purpose)
  const below = belowContext(walk, name, path)
  for (const part of [path[0], below?.[0]])
    if (part?.kind === 'key' && (part.name === 'exports' || part.name === 'session')) walk.reads.addRequest()
  if (below !== null) {
    readContext(walk, name.name, below, purpose)
    noteVisitor(walk, name.name, below[0])
  }
  for (const [at, accessor] of path.entries()) {
    const owner = type
    type = partOf(walk, expression, { at, accessor }, owner, purpose)
    walk.env.observer?.part(accessor, owner, type)
  }
  if (flows && type !== UNKNOWN && isMutable(type)) walk.flow.share(name.name)
  return type
}

/** Where the variable of a lookup was set to a list by `assign`, for which no loop looks: one element was to be taken there. */
function assignedList(walk: Walk, { name }: Lookup): Span | null {
  const span = name === null ? undefined : walk.reads.setAt.get(name.name)
  if (name === null || span === undefined) return null
  const { text } = walk.piece.unit.file
  if (!/\bassign\s+$/.test(text.slice(Math.max(0, span.start - 20), span.start))) return null
  return new RegExp(`\\bin\\s+${name.name}\\b(?!\\s*[.[])`).test(text) ? null : span
}

/** Notes what is not there outside of a request: the field, or the part of it that is read. */
function readContext(walk: Walk, name: string, [field, inner]: readonly Accessor[], purpose: ReadPurpose): void {
  if (field === undefined || purpose === 'test' || purpose === 'default' || walk.flow.dead) return
  const key = nameOf(field)
  const part = key === null ? null : absentPart(key, inner === undefined ? null : nameOf(inner))
  if (part !== null) walk.readPart(name, part, field.span)
}

/** A part of a path, with its index. */
interface PathPart {
  readonly at: number
  readonly accessor: Accessor
}

function partOf(walk: Walk, expression: Lookup, part: PathPart, type: Type, purpose: ReadPurpose): Type {
  const { at, accessor } = part
  const index = accessor.kind === 'index' ? typeOf(walk, accessor.value, 'value', false) : null
  const key = nameOf(accessor)
  if (key === null) {
    const keys = accessor.kind === 'index' && index !== null ? exactKeys(walk, accessor.value, index) : null
    if (keys !== null) return partsOf(walk, expression, part, type, keys)
    if (purpose !== 'test' && purpose !== 'default' && accessor.kind === 'index')
      checkIndex(walk, expression, { at, accessor }, type)
    return index === NIL ? UNKNOWN : element(type)
  }
  if (accessor.kind === 'key' && key.endsWith('?') && isQuestionMethod(key)) {
    walk.report(questionMethod(accessor.span, key, ownerText(walk, expression, at), purpose === 'test'))
    return UNKNOWN
  }
  const lookup = property(type, key, accessor.kind === 'key')
  const guarded = purpose === 'test' || purpose === 'default'
  if (lookup.unlikely !== undefined && (!guarded || meantInstead(walk, key, lookup.unlikely.known) !== null)) {
    const { known, origin } = lookup.unlikely
    if (origin?.of !== undefined)
      walk.report({
        ...unknownField(accessor.span, ownerText(walk, expression, at), key, known, origin.of, origin),
        severity: 'warning',
      })
  }
  if (lookup.missing === null) {
    const hasNone = hasNoParts(type, key, accessor.kind === 'key')
    const owner = lookup.missingInSome === null && !hasNone ? '' : ownerText(walk, expression, at)
    const lacking = guarded ? otherSpelling(walk, type, key) : null
    if (lacking?.origin != null) walk.report(fieldNotSelected(accessor.span, owner, key, lacking.known, lacking.origin))
    else if (guarded) walk.reads.addTested(`${owner}.${key}`)
    else if (lookup.missingInSome?.origin != null && !walk.reads.isTested(`${owner}.${key}`)) {
      walk.report(fieldNotSelected(accessor.span, owner, key, lookup.missingInSome.known, lookup.missingInSome.origin))
    }
    const elementOfList = accessor.kind === 'key' && !PSEUDO.has(key) ? listElement(type, purpose !== 'test') : null
    if (elementOfList !== null)
      walk.report(
        listAsObject(
          (at === 0 ? assignedList(walk, expression) : null) ?? accessor.span,
          ownerText(walk, expression, at),
          at === 0 && assignedList(walk, expression) !== null ? null : key,
          elementOfList,
        ),
      )
    else if (at === 0 && purpose === 'value' && type === NIL && isSetToNil(walk, expression))
      walk.report(noParts(accessor.span, owner || ownerText(walk, expression, at), key, describe(type)))
    else if ((!guarded || SIZES.test(key)) && hasNone && !walk.reads.isTested(`${owner}.${key}`))
      walk.report(noParts(accessor.span, owner, key, describe(type)))
    return lookup.type === UNKNOWN && at === 1 ? partOfRequest(walk, expression, accessor, key) : lookup.type
  }
  // A hash may lack a key that is tested for. The keys of `context` are known, so that a misspelled one is reported in a test too.
  const ofContext = at === 0 && isContext(walk, expression)
  const isSlip =
    ofContext || isLoop(walk, expression)
      ? findNearest(key, lookup.missing.known) !== null
      : guarded && meantInstead(walk, key, lookup.missing.known) !== null
  // A site may add fields of its own to `context`, so that one that resembles none is only an info.
  const severity = ofContext && !isSlip ? 'info' : null
  reportMissing(walk, accessor.span, ownerText(walk, expression, at), key, lookup.missing, guarded && !isSlip, severity)
  return UNKNOWN
}

/** Whether it is the template itself that set a variable to nil. */
function isSetToNil({ flow, piece }: Walk, { name }: Lookup): boolean {
  if (name === null || flow.dead || !flow.variables.has(name.name)) return false
  return new RegExp(`\\bassign\\s+${name.name}\\s*=\\s*(?:nil|null)\\b`).test(piece.unit.file.text)
}

/** A part of `context` of which others may be there than are known: what the query brings, and fields of users. */
function partOfRequest(walk: Walk, expression: Lookup, accessor: Accessor, key: string): Type {
  if (!isContext(walk, expression)) return UNKNOWN
  const [part] = expression.path
  const name = part === undefined ? null : nameOf(part)
  const { settings } = walk.piece.unit
  // A GET request has no body.
  if (name === 'params' && settings.kind === 'page' && settings.method === 'get') return QUERY_VALUE
  if (name === 'current_user' && !walk.env.site.data.user.some((property) => property.name === key)) {
    const meant = findNearest(key, USER_FIELDS)
    if (meant !== null)
      reportMissing(
        walk,
        accessor.span,
        'context.current_user',
        key,
        { known: [meant], origin: null },
        false,
        'warning',
      )
  }
  return UNKNOWN
}

/** A number as the key of a hash whose keys are known. */
function checkIndex(
  walk: Walk,
  expression: Lookup,
  { at, accessor: { value, span } }: PathPart & { readonly accessor: { readonly kind: 'index' } },
  type: Type,
): void {
  if (value.kind !== 'literal' || value.value.type !== 'integer') return
  const known = members(type).filter((member) => member.kind !== 'nil')
  if (known.length === 0 || !known.every((member) => member.kind === 'record' && !member.open)) return
  const key = String(value.value.value)
  const { missing } = property(type, key, false)
  if (missing !== null) reportMissing(walk, span, ownerText(walk, expression, at), key, missing)
}

/** The key of a shape that one which it lacks was surely meant to be, where it may rightly be missing. */
function meantInstead(walk: Walk, key: string, known: Iterable<string>): string | null {
  const meant = findTypo(key, known)
  if (meant === null || (`${key}s` !== meant && key !== `${meant}s`)) return meant
  // Who asks for one and for many knows both.
  return new RegExp(`\\.${meant}\\b`).test(walk.piece.unit.file.text) ? null : meant
}

/** Of several queries' records those that have another spelling in the place of a key that the others have. */
function otherSpelling(walk: Walk, type: Type, key: string): MissingKey | null {
  for (const { lacking } of members(type).filter((member) => member.kind === 'record')) {
    const without = lacking?.get(key)
    const meant = without === undefined ? null : meantInstead(walk, key, without.known)
    if (without !== undefined && meant !== null && lacking?.get(meant)?.known.includes(key) === true) return without
  }
  return null
}

/** The part of a value under one of several keys, which a computed key can be. A key that is not there is told of where none is. */
function partsOf(
  walk: Walk,
  expression: Lookup,
  { at, accessor: { span } }: PathPart,
  type: Type,
  keys: readonly string[],
): Type {
  const lookups = keys.map((key) => property(type, key, false))
  const [first] = lookups
  const missing = lookups.every((lookup) => lookup.missing !== null) ? first?.missing : null
  if (missing != null) reportMissing(walk, span, ownerText(walk, expression, at), keys[0] ?? '', missing)
  else if (keys.length > 0 && keys.every((key) => hasNoParts(type, key, false)))
    walk.report(noParts(span, ownerText(walk, expression, at), keys[0] ?? '', describe(type)))
  return missing == null ? joinAll(lookups.map((lookup) => lookup.type)) : UNKNOWN
}

/** The keys that a computed one can be, where all of them are known. */
export function exactKeys(walk: Walk, key: Expression, type: Type): readonly string[] | null {
  const texts = textsOf(walk, key, type)
  return texts?.every(({ exact }) => exact) === true ? texts.map(({ prefix }) => prefix) : null
}

/** Whether a lookup begins at the host's `context`, and not at a name of the template's own. */
function isContext(walk: Walk, { name }: Lookup): boolean {
  if (name?.name === 'context') return !walk.isOwn('context')
  return name !== null && walk.oldKeys(name.name)?.length === 0
}

/** Whether a lookup begins at the state of a loop, whose fields are known. */
function isLoop(walk: Walk, { name }: Lookup): boolean {
  return (name?.name === 'forloop' || name?.name === 'tablerowloop') && walk.flow.local(name.name) !== undefined
}

/** What others call the size of a list or a text. */
const SIZES = /^(?:len\w{2,5}|count|sizes?)$/

/** What every list has. */
const PSEUDO: ReadonlySet<string> = new Set(['size', 'first', 'last'])

/** The text of a lookup up to the accessor at `at`. */
function ownerText(walk: Walk, expression: Lookup, at: number): string {
  const before = expression.path[at - 1]
  return walk.source({
    ...expression.span,
    end: before?.span.end ?? expression.name?.span.end ?? expression.span.end,
  })
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
    } else if (walk.isSet(key.name)) {
      const span = walk.flow.variables.get(key.name)?.span ?? null
      walk.reads.use(key.name)
      walk.report(bareKey(key.span, key.name, span))
      open = true
    } else {
      fields.set(key.name, type)
      // Whoever calls may have set a variable of that name.
      if (!walk.env.closed || walk.env.params?.has(key.name) === true) open = true
    }
  }
  return { kind: 'record', fields, open, origin: expression.span }
}

function filteredType(walk: Walk, expression: Filtered, purpose: ReadPurpose, flows: boolean): Type {
  const { input, filters } = expression
  if (filters.length === 0) return typeOf(walk, input, purpose, flows)
  // Both put another value in the place of nil.
  const replaced = filters.some((filter) => filter.name.name === 'default')
  const isFilled = filters[0]?.name.name === 'to_positive_integer'
  const inputPurpose = replaced ? 'default' : isFilled ? 'test' : 'value'
  const type = walk.findings.readFilterInput(filters.some(takesBraces), () => typeOf(walk, input, inputPurpose, true))
  return applyFilters(walk, filters, type, input)
}

/** Checks a chain of filters and gives the type of its result. `source` is the piped value, where it is an expression. */
export function applyFilters(walk: Walk, filters: readonly FilterCall[], input: Type, source: Expression | null): Type {
  let type = input
  let before = source
  for (const [index, call] of filters.entries()) {
    const { positional, named } = walk.findings.readFilterInput(takesBraces(call), () => ({
      positional: call.positional.map((each) => typeOf(walk, each, 'pass', true)),
      named: call.named.map((each) => typeOf(walk, each.value, 'pass', true)),
    }))
    const at = index
    const texts = () => (source === null ? null : textsBefore(walk, source, filters.slice(0, at)))
    type = applyFilter(walk, call, { input: type, positional, named, source: before, texts })
    before = null
  }
  return type
}

const ANY_TEXT: readonly TextPattern[] = [{ prefix: '', suffix: '', exact: false }]

/** What is known of the texts that a value can be; null for nothing. `type` is the value's own. */
export function textsOf(walk: Walk, expression: Expression, type: Type): readonly TextPattern[] | null {
  switch (expression.kind) {
    case 'interpolation': {
      let texts: readonly TextPattern[] | null = null
      for (const part of expression.parts) {
        const added: readonly TextPattern[] =
          typeof part === 'string'
            ? [{ prefix: part, suffix: '', exact: true }]
            : (textsWithoutCheck(walk, part) ?? ANY_TEXT)
        texts = texts === null ? added : (concatenated(texts, added) ?? ANY_TEXT)
      }
      return withoutAny(texts)
    }
    case 'lookup': {
      const known = expression.name !== null && expression.path.length === 0 ? walk.texts(expression.name.name) : null
      return known ?? exactTexts(type)
    }
    case 'filtered': {
      if (expression.filters.length === 0) return textsOf(walk, expression.input, type)
      return filteredTexts(walk, expression)
    }
    default:
      return exactTexts(type)
  }
}

function exactTexts(type: Type): readonly TextPattern[] | null {
  return literalTexts(type)?.map((text) => ({ prefix: text, suffix: '', exact: true })) ?? null
}

/** The chain of `append` and `prepend` that ends the filters; whatever stands before it is any text. */
function filteredTexts(walk: Walk, expression: Filtered): readonly TextPattern[] | null {
  let texts: readonly TextPattern[] | null = textsWithoutCheck(walk, expression.input)
  for (const { name, positional } of expression.filters) {
    const added = positional[0] === undefined ? null : textsWithoutCheck(walk, positional[0])
    if (name.name === 'append') texts = concatenated(texts ?? ANY_TEXT, added ?? ANY_TEXT)
    else if (name.name === 'prepend') texts = concatenated(added ?? ANY_TEXT, texts ?? ANY_TEXT)
    else if (name.name === 'default') texts = texts === null || added === null ? null : mergePatterns(texts, added)
    else texts = null
  }
  return withoutAny(texts)
}

/** Null where one of the texts can be any. */
function withoutAny(texts: readonly TextPattern[] | null): readonly TextPattern[] | null {
  return texts?.some((each) => each.prefix === '' && each.suffix === '' && !each.exact) === true ? null : texts
}

/** What is known of the texts that a chain gives before its next filter. */
function textsBefore(walk: Walk, input: Expression, filters: readonly FilterCall[]): readonly TextPattern[] | null {
  if (filters.length === 0) return withoutAny(textsWithoutCheck(walk, input))
  return filteredTexts(walk, { kind: 'filtered', input, filters, span: input.span })
}

function textsWithoutCheck(walk: Walk, expression: Expression): readonly TextPattern[] | null {
  if (expression.kind === 'literal')
    return expression.value.type === 'string' ? [{ prefix: expression.value.value, suffix: '', exact: true }] : null
  if (expression.kind === 'lookup' && expression.name !== null && expression.path.length === 0) {
    const { name } = expression.name
    return walk.texts(name) ?? exactTexts(walk.typeNow(name))
  }
  if (expression.kind === 'filtered' && expression.filters.length === 0)
    return textsWithoutCheck(walk, expression.input)
  return expression.kind === 'interpolation' ? textsOf(walk, expression, STRING) : null
}

function concatenated(left: readonly TextPattern[], right: readonly TextPattern[]): readonly TextPattern[] | null {
  let all: readonly TextPattern[] | null = []
  for (const a of left) {
    for (const b of right) {
      const both: TextPattern = {
        prefix: a.exact ? a.prefix + b.prefix : a.prefix,
        suffix: a.exact && b.exact ? '' : b.exact ? a.suffix + b.prefix : b.suffix,
        exact: a.exact && b.exact,
      }
      all = mergePatterns(all, [both])
      if (all === null) return null
    }
  }
  return all
}
