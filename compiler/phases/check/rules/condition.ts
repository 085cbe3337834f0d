/** Conditions: what can never hold, what always does, and what one says about the variables in it. */
import { constantCondition } from '../../../core/diagnostics/codes/values/constant-condition.ts'
import { impossibleComparison } from '../../../core/diagnostics/codes/values/impossible-comparison.ts'
import { impossibleOrder } from '../../../core/diagnostics/codes/values/impossible-order.ts'
import { mixedAndOr } from '../../../core/diagnostics/codes/values/mixed-and-or.ts'
import { type Comparison, type Expression, type Logical, unfiltered } from '../../../core/model/ast.ts'
import type { Type } from '../../../core/model/type.ts'
import {
  type Category,
  categories,
  constantTruth,
  describe,
  falsy,
  onlyCategory,
  truthy,
} from '../../../language/types/relate.ts'
import { narrow as narrowed, specialWord } from '../infer/narrow.ts'
import type { Walk } from './walk.ts'

/** Categories of which is certain how they compare. */
const COMPARABLE: ReadonlySet<Category> = new Set(['text', 'number', 'boolean', 'list', 'hash'])

export function checkComparison(walk: Walk, expression: Comparison, left: Type, right: Type): void {
  const { operator } = expression
  if (typeof operator !== 'string' || specialWord(expression.left) !== null || specialWord(expression.right) !== null)
    return
  if (operator === '==' || operator === '!=') {
    if (neverEqual(left, right)) {
      const written = writtenNumber(walk, expression, left, right)
      walk.report(impossibleComparison(expression.span, describe(left), describe(right), written))
    }
  } else if (operator !== 'contains') {
    const a = onlyCategory(left)
    const b = onlyCategory(right)
    // Other pairs are false without an error.
    if ((a === 'text' && b === 'number') || (a === 'number' && b === 'text')) {
      const written = writtenNumber(walk, expression, left, right)
      const quoted = written !== null && /^["']/.test(written) ? written : null
      walk.findings.reportFault(impossibleOrder(expression.span, describe(left), describe(right), quoted))
    } else if ((besideNil(left) === 'number' && b === 'text') || (a === 'text' && besideNil(right) === 'number')) {
      // A number that is not there is compared without an error.
      const diagnostic = impossibleOrder(
        expression.span,
        describe(left),
        describe(right),
        writtenNumber(walk, expression, left, right),
      )
      walk.report({ ...diagnostic, severity: 'warning' })
    } else if ((mayBeText(left) && b === 'number') || (a === 'number' && mayBeText(right))) {
      const diagnostic = impossibleOrder(expression.span, 'text', 'number', null)
      walk.report({ ...diagnostic, severity: 'warning' })
    }
  }
}

/** Whether a value is a text where it can be ordered at all: what stands in a request, or a property that is one. */
function mayBeText(type: Type): boolean {
  const found = categories(type)
  return found?.has('text') === true && [...found].every((each) => UNORDERED.has(each))
}

const UNORDERED: ReadonlySet<Category> = new Set(['text', 'nil', 'list', 'hash'])

/** The side of a comparison of a text with a number that is written out, where it could be of the other type. */
function writtenNumber(walk: Walk, { left: a, right: b }: Comparison, left: Type, right: Type): string | null {
  for (const [side, own, other] of [
    [b, right, left],
    [a, left, right],
  ] as const) {
    const bare = unfiltered(side)
    if (bare.kind !== 'literal') continue
    const source = walk.source(bare.span)
    if (besideNil(own) === 'text' && besideNil(other) === 'number' && /^(["'])-?\d+(?:\.\d+)?\1$/.test(source))
      return source
    if (besideNil(own) === 'number' && besideNil(other) === 'text') return source
  }
  return null
}

/** The only category of a value where it is not nil. */
function besideNil(type: Type): Category | null {
  const all = [...(categories(type) ?? [])].filter((each) => each !== 'nil')
  return all.length === 1 ? (all[0] ?? null) : null
}

function neverEqual(left: Type, right: Type): boolean {
  const a = categories(left)
  const b = categories(right)
  if (a === null || b === null || a.size === 0 || b.size === 0) return false
  // A value that may be nil is compared with one that is not: nil is never equal to it, the rest decides.
  let comparable = false
  for (const each of a) {
    if (each === 'nil') {
      if (b.has('nil')) return false
      continue
    }
    if (!COMPARABLE.has(each) || b.has(each)) return false
    comparable = true
  }
  if (!comparable) return false
  let other = false
  for (const each of b) {
    if (each === 'nil') continue
    if (!COMPARABLE.has(each)) return false
    other = true
  }
  return other
}

/** `a == 'x' or 'y'`: the second text is compared with nothing, and always true. */
function checkLoneValue(walk: Walk, { left, right }: Logical): void {
  const first = unfiltered(left)
  const lone = unfiltered(right.kind === 'logical' ? right.left : right)
  if (first.kind !== 'comparison' || lone.kind !== 'literal') return
  if (lone.value.type !== 'string' && lone.value.type !== 'integer') return
  const meant = `${walk.source(first.left.span)} ${first.operator} ${walk.source(lone.span)}`
  walk.report(constantCondition(lone.span, true, 'only nil and false count as false', meant))
}

/** `a and b or c` is read as `a and (b or c)`, where many expect `(a and b) or c`. */
export function checkLogical(walk: Walk, expression: Logical): void {
  let current: Logical = expression
  let sawAnd = false
  checkLoneValue(walk, expression)
  for (;;) {
    if (current.operator === 'and') sawAnd = true
    else if (sawAnd) {
      walk.report(mixedAndOr(expression.span, withParentheses(walk, expression)))
      return
    }
    if (current.right.kind !== 'logical') return
    current = current.right
  }
}

function withParentheses(walk: Walk, expression: Expression): string {
  if (expression.kind !== 'logical') return walk.source(expression.span)
  const right = withParentheses(walk, expression.right)
  const nested = expression.right.kind === 'logical' && expression.right.operator !== expression.operator
  return `${walk.source(expression.left.span)} ${expression.operator} ${nested ? `(${right})` : right}`
}

/** Reports a whole condition that has one outcome only. `type` is the one of its value. */
export function checkConstant(walk: Walk, expression: Expression, type: Type): void {
  const bare = unfiltered(expression)
  if (bare.kind === 'literal') {
    // `true` and `false` are written to switch something on or off.
    if (bare.value.type === 'boolean') return
    if (bare.value.type === 'nil') walk.report(constantCondition(bare.span, false, ''))
    else walk.report(constantCondition(bare.span, true, 'only nil and false count as false'))
    return
  }
  if (bare.kind === 'hash' || bare.kind === 'array' || bare.kind === 'range' || bare.kind === 'interpolation') {
    walk.report(constantCondition(bare.span, true, 'only nil and false count as false'))
    return
  }
  if (bare.kind !== 'lookup' || bare.name === null || bare.path.length > 0) return
  const variable = walk.flow.variables.get(bare.name.name)
  // What callers pass today says little about what a partial is made for.
  if (variable?.certain !== true || walk.flow.local(bare.name.name) !== undefined) return
  if (constantTruth(type) === true)
    walk.report(
      constantCondition(
        bare.span,
        true,
        `\`${bare.name.name}\` is ${withArticle(describe(type))}, and only nil and false count as false`,
      ),
    )
}

function withArticle(noun: string): string {
  return /^(?:text|nil|true)/.test(noun) ? noun : `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`
}

/** What is known of variables where a condition holds, or where it does not. */
export function narrow(walk: Walk, expression: Expression, holds: boolean): void {
  narrowed(expression, holds, (name, isTrue) => walk.flow.narrow(name, isTrue ? truthy : falsy))
}

/** Names from outside of which a condition says that they are not given, where it holds or where it does not. */
export function namesNotGiven(walk: Walk, expression: Expression, holds: boolean): readonly string[] {
  const bare = unfiltered(expression)
  if (bare.kind === 'logical')
    return (bare.operator === 'and') === holds
      ? [...namesNotGiven(walk, bare.left, holds), ...namesNotGiven(walk, bare.right, holds)]
      : []
  const isBlank =
    bare.kind === 'lookup'
      ? !holds
      : bare.kind === 'comparison' &&
        specialWord(bare.right) !== null &&
        (bare.operator === '==' ? holds : bare.operator === '!=' && !holds)
  const read = bare.kind === 'comparison' ? unfiltered(bare.left) : bare
  if (!isBlank || read.kind !== 'lookup' || read.name === null || read.path.length > 0) return []
  return walk.isSet(read.name.name) ? [] : [read.name.name]
}

/** Names from outside that have a value wherever a condition holds, or wherever it does not. */
export function namesGiven(walk: Walk, expression: Expression, holds: boolean): readonly string[] {
  const bare = unfiltered(expression)
  if (bare.kind === 'logical') {
    const left = namesGiven(walk, bare.left, holds)
    const right = namesGiven(walk, bare.right, holds)
    return (bare.operator === 'and') === holds ? [...left, ...right] : left.filter((name) => right.includes(name))
  }
  const read = bare.kind === 'comparison' ? unfiltered(bare.left) : bare
  if (read.kind !== 'lookup' || read.name === null) return []
  const isGiven = bare.kind === 'comparison' ? failsForNil(bare, holds) : holds
  return !isGiven || walk.isSet(read.name.name) ? [] : [read.name.name]
}

/** Whether a comparison never comes out so where its left side is nil. */
function failsForNil({ operator, right }: Comparison, holds: boolean): boolean {
  if (operator === 'contains') return holds
  const bare = unfiltered(right)
  if (bare.kind !== 'literal' || (operator !== '==' && operator !== '!=')) return false
  const { type } = bare.value
  // Nil is not empty, and whoever compares with false may well mean nil.
  if (type === 'empty' || type === 'boolean') return false
  const isUnequal = (operator === '!=') === holds
  return type === 'nil' || type === 'blank' ? isUnequal : !isUnequal
}
