/** Checks conditions that are never or always true, and narrows the types of the variables in them. */
import { constantCondition } from '../../../core/diagnostics/codes/values/constant-condition.ts'
import { impossibleComparison } from '../rules/values/impossible-comparison.ts'
import { impossibleOrder } from '../rules/values/impossible-order.ts'
import { mixedAndOr } from '../rules/values/mixed-and-or.ts'
import { type Comparison, type Expression, type Logical, unfiltered } from '../../../core/tree/ast.ts'
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
import { narrow as narrowNames, specialWord } from '../../analyze/narrow.ts'
import type { Walk } from '../walk/walk.ts'

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
  for (const [side, own, otherType] of [
    [b, right, left],
    [a, left, right],
  ] as const) {
    const bareExpression = unfiltered(side)
    if (bareExpression.kind !== 'literal') continue
    const source = walk.source(bareExpression.span)
    if (
      nonNilCategory(own) === 'text' &&
      nonNilCategory(otherType) === 'number' &&
      /^(["'])-?\d+(?:\.\d+)?\1$/.test(source)
    )
      return source
    if (nonNilCategory(own) === 'number' && nonNilCategory(otherType) === 'text') return source
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
  const firstExpression = unfiltered(left)
  const lone = unfiltered(right.kind === 'logical' ? right.left : right)
  if (firstExpression.kind !== 'comparison' || lone.kind !== 'literal') return
  if (lone.value.type !== 'string' && lone.value.type !== 'integer') return
  const meantName = `${walk.source(firstExpression.left.span)} ${firstExpression.operator} ${walk.source(lone.span)}`
  walk.report(constantCondition(lone.span, true, 'only nil and false count as false', meantName))
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
  const bareExpression = unfiltered(expression)
  if (bareExpression.kind === 'literal') {
    // Authors write `true` and `false` to switch a part of the template on or off.
    if (bareExpression.value.type === 'boolean') return
    if (bareExpression.value.type === 'nil') walk.report(constantCondition(bareExpression.span, false, ''))
    else walk.report(constantCondition(bareExpression.span, true, 'only nil and false count as false'))
    return
  }
  if (
    bareExpression.kind === 'hash' ||
    bareExpression.kind === 'array' ||
    bareExpression.kind === 'range' ||
    bareExpression.kind === 'interpolation'
  ) {
    walk.report(constantCondition(bareExpression.span, true, 'only nil and false count as false'))
    return
  }
  if (bareExpression.kind !== 'lookup' || bareExpression.name === null || bareExpression.path.length > 0) return
  const variable = walk.flow.variables.get(bareExpression.name.name)
  // The arguments of the current callers do not limit what a partial supports.
  if (variable?.certain !== true || walk.flow.local(bareExpression.name.name) !== undefined) return
  if (constantTruth(type) === true)
    walk.report(
      constantCondition(
        bareExpression.span,
        true,
        `\`${bareExpression.name.name}\` is ${withArticle(describe(type))}, and only nil and false count as false`,
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
  const bareExpression = unfiltered(expression)
  if (bareExpression.kind === 'logical')
    return (bareExpression.operator === 'and') === holds
      ? [...namesNotGiven(walk, bareExpression.left, holds), ...namesNotGiven(walk, bareExpression.right, holds)]
      : []
  const isBlank =
    bareExpression.kind === 'lookup'
      ? !holds
      : bareExpression.kind === 'comparison' &&
        specialWord(bareExpression.right) !== null &&
        (bareExpression.operator === '==' ? holds : bareExpression.operator === '!=' && !holds)
  const read = bareExpression.kind === 'comparison' ? unfiltered(bareExpression.left) : bareExpression
  if (!isBlank || read.kind !== 'lookup' || read.name === null || read.path.length > 0) return []
  return walk.isSet(read.name.name) ? [] : [read.name.name]
}

/** Returns the names not set in this template that have a value wherever a condition holds, or wherever it does not. */
export function namesGiven(walk: Walk, expression: Expression, holds: boolean): readonly string[] {
  const bareExpression = unfiltered(expression)
  if (bareExpression.kind === 'logical') {
    const left = namesGiven(walk, bareExpression.left, holds)
    const right = namesGiven(walk, bareExpression.right, holds)
    return (bareExpression.operator === 'and') === holds
      ? [...left, ...right]
      : left.filter((name) => right.includes(name))
  }
  const read = bareExpression.kind === 'comparison' ? unfiltered(bareExpression.left) : bareExpression
  if (read.kind !== 'lookup' || read.name === null) return []
  const isGiven = bareExpression.kind === 'comparison' ? excludesNil(bareExpression, holds) : holds
  return !isGiven || walk.isSet(read.name.name) ? [] : [read.name.name]
}

/** Returns whether a comparison cannot have this outcome if its left side is nil. */
function excludesNil({ operator, right }: Comparison, holds: boolean): boolean {
  if (operator === 'contains') return holds
  const bareExpression = unfiltered(right)
  if (bareExpression.kind !== 'literal' || (operator !== '==' && operator !== '!=')) return false
  const { type } = bareExpression.value
  // Nil is not equal to `empty`, and a comparison with false may also be meant for nil.
  if (type === 'empty' || type === 'boolean') return false
  const isUnequal = (operator === '!=') === holds
  return type === 'nil' || type === 'blank' ? isUnequal : !isUnequal
}
