/** Checks conditions that are never or always true, and narrows the types of the variables in them. */
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
import { narrow as narrowNames, specialWord } from '../infer/narrow.ts'
import type { Walk } from './walk.ts'

/** Categories whose comparison has a definite outcome. */
const COMPARABLE: ReadonlySet<Category> = new Set(['text', 'number', 'boolean', 'list', 'hash'])

/** Reports a comparison of types that can never be equal, or that cannot be ordered. */
export function checkComparison(walk: Walk, expression: Comparison, left: Type, right: Type): void {
  const { operator } = expression
  if (typeof operator !== 'string' || specialWord(expression.left) !== null || specialWord(expression.right) !== null)
    return
  if (operator === '==' || operator === '!=') {
    if (areNeverEqual(left, right)) {
      const literal = findLiteralSide(walk, expression, left, right)
      walk.report(impossibleComparison(expression.span, describe(left), describe(right), literal))
    }
  } else if (operator !== 'contains') {
    const a = onlyCategory(left)
    const b = onlyCategory(right)
    // Other pairs of types compare as false without an error.
    if ((a === 'text' && b === 'number') || (a === 'number' && b === 'text')) {
      const literal = findLiteralSide(walk, expression, left, right)
      const quoted = literal !== null && /^["']/.test(literal) ? literal : null
      walk.findings.reportFault(impossibleOrder(expression.span, describe(left), describe(right), quoted))
    } else if (
      (nonNilCategory(left) === 'number' && b === 'text') ||
      (a === 'text' && nonNilCategory(right) === 'number')
    ) {
      // If the value is nil instead of a number, the comparison causes no error.
      const diagnostic = impossibleOrder(
        expression.span,
        describe(left),
        describe(right),
        findLiteralSide(walk, expression, left, right),
      )
      walk.report({ ...diagnostic, severity: 'warning' })
    } else if ((mayBeText(left) && b === 'number') || (a === 'number' && mayBeText(right))) {
      const diagnostic = impossibleOrder(expression.span, 'text', 'number', null)
      walk.report({ ...diagnostic, severity: 'warning' })
    }
  }
}

/** Returns whether text is the only orderable category of a value, as in a request parameter or a text property. */
function mayBeText(type: Type): boolean {
  const found = categories(type)
  return found?.has('text') === true && [...found].every((each) => UNORDERED.has(each))
}

const UNORDERED: ReadonlySet<Category> = new Set(['text', 'nil', 'list', 'hash'])

/** Returns the source of the literal in a comparison of a text with a number, if it could be written as the other type; else null. */
function findLiteralSide(walk: Walk, { left: a, right: b }: Comparison, left: Type, right: Type): string | null {
  for (const [side, own, other] of [
    [b, right, left],
    [a, left, right],
  ] as const) {
    const bare = unfiltered(side)
    if (bare.kind !== 'literal') continue
    const source = walk.source(bare.span)
    if (
      nonNilCategory(own) === 'text' &&
      nonNilCategory(other) === 'number' &&
      /^(["'])-?\d+(?:\.\d+)?\1$/.test(source)
    )
      return source
    if (nonNilCategory(own) === 'number' && nonNilCategory(other) === 'text') return source
  }
  return null
}

/** Returns the only category of a value besides nil; null when there are several or none. */
function nonNilCategory(type: Type): Category | null {
  const all = [...(categories(type) ?? [])].filter((each) => each !== 'nil')
  return all.length === 1 ? (all[0] ?? null) : null
}

/** Returns whether two values are definitely never equal. */
function areNeverEqual(left: Type, right: Type): boolean {
  const a = categories(left)
  const b = categories(right)
  if (a === null || b === null || a.size === 0 || b.size === 0) return false
  // If only one value may be nil, nil never makes them equal, so the other categories decide.
  let hasComparable = false
  for (const each of a) {
    if (each === 'nil') {
      if (b.has('nil')) return false
      continue
    }
    if (!COMPARABLE.has(each) || b.has(each)) return false
    hasComparable = true
  }
  if (!hasComparable) return false
  let hasOther = false
  for (const each of b) {
    if (each === 'nil') continue
    if (!COMPARABLE.has(each)) return false
    hasOther = true
  }
  return hasOther
}

/** Reports the lone literal in `a == 'x' or 'y'`, which is always true. */
function checkLoneValue(walk: Walk, { left, right }: Logical): void {
  const first = unfiltered(left)
  const lone = unfiltered(right.kind === 'logical' ? right.left : right)
  if (first.kind !== 'comparison' || lone.kind !== 'literal') return
  if (lone.value.type !== 'string' && lone.value.type !== 'integer') return
  const meant = `${walk.source(first.left.span)} ${first.operator} ${walk.source(lone.span)}`
  walk.report(constantCondition(lone.span, true, 'only nil and false count as false', meant))
}

/** Reports `a and b or c`, which is evaluated as `a and (b or c)`, where many authors expect `(a and b) or c`. */
export function checkLogical(walk: Walk, expression: Logical): void {
  let current: Logical = expression
  let hasAnd = false
  checkLoneValue(walk, expression)
  for (;;) {
    if (current.operator === 'and') hasAnd = true
    else if (hasAnd) {
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
  const isNested = expression.right.kind === 'logical' && expression.right.operator !== expression.operator
  return `${walk.source(expression.left.span)} ${expression.operator} ${isNested ? `(${right})` : right}`
}

/** Reports a condition that has only one possible outcome. `type` is the type of its value. */
export function checkConstant(walk: Walk, expression: Expression, type: Type): void {
  const bare = unfiltered(expression)
  if (bare.kind === 'literal') {
    // Authors write `true` and `false` to switch a part of the template on or off.
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
  // The arguments of the current callers do not limit what a partial supports.
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

/** Narrows the types of variables for the branch where a condition holds, or for the one where it does not. */
export function narrow(walk: Walk, expression: Expression, holds: boolean): void {
  narrowNames(expression, holds, (name, isTrue) => walk.flow.narrow(name, isTrue ? truthy : falsy))
}

/** Returns the names not set in this template that have no value wherever a condition holds, or wherever it does not. */
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

/** Returns the names not set in this template that have a value wherever a condition holds, or wherever it does not. */
export function namesGiven(walk: Walk, expression: Expression, holds: boolean): readonly string[] {
  const bare = unfiltered(expression)
  if (bare.kind === 'logical') {
    const left = namesGiven(walk, bare.left, holds)
    const right = namesGiven(walk, bare.right, holds)
    return (bare.operator === 'and') === holds ? [...left, ...right] : left.filter((name) => right.includes(name))
  }
  const read = bare.kind === 'comparison' ? unfiltered(bare.left) : bare
  if (read.kind !== 'lookup' || read.name === null) return []
  const isGiven = bare.kind === 'comparison' ? excludesNil(bare, holds) : holds
  return !isGiven || walk.isSet(read.name.name) ? [] : [read.name.name]
}

/** Returns whether a comparison cannot have this outcome if its left side is nil. */
function excludesNil({ operator, right }: Comparison, holds: boolean): boolean {
  if (operator === 'contains') return holds
  const bare = unfiltered(right)
  if (bare.kind !== 'literal' || (operator !== '==' && operator !== '!=')) return false
  const { type } = bare.value
  // Nil is not equal to `empty`, and a comparison with false may also be meant for nil.
  if (type === 'empty' || type === 'boolean') return false
  const isUnequal = (operator === '!=') === holds
  return type === 'nil' || type === 'blank' ? isUnequal : !isUnequal
}
