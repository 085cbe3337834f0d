/** Checks conditions that are never or always true, and narrows the types of the variables in them. */
import { constantCondition } from '../../../core/diagnostics/codes/values/constant-condition.ts'
import { withArticle } from '../../../core/diagnostics/words.ts'
import { type Comparison, type Expression, type Logical, unfiltered } from '../../../core/tree/ast.ts'
import type { Type } from '../../../core/model/type.ts'
import { constantTruth, describe, falsy, truthy } from '../../../language/types/relate.ts'
import { narrow as narrowNames, specialWord } from '../../analyze/narrow.ts'
import type { Walk } from '../walk/walk.ts'

const ONLY_NIL_AND_FALSE = 'only nil and false count as false'

/** Reports the lone literal in `a == 'x' or 'y'`, which is always true. */
export function checkLoneValue(walk: Walk, { left, right }: Logical): void {
  const firstExpression = unfiltered(left)
  const lone = unfiltered(right.kind === 'logical' ? right.left : right)
  if (firstExpression.kind !== 'comparison' || lone.kind !== 'literal') return
  if (lone.value.type !== 'string' && lone.value.type !== 'integer') return
  const meantName = `${walk.source(firstExpression.left.span)} ${firstExpression.operator} ${walk.source(lone.span)}`
  walk.report(constantCondition(lone.span, true, ONLY_NIL_AND_FALSE, meantName))
}

/** Reports a condition that has only one possible outcome. `type` is the type of its value. */
export function checkConstant(walk: Walk, expression: Expression, type: Type): void {
  const bareExpression = unfiltered(expression)
  const { kind, span } = bareExpression
  if (kind === 'literal') {
    // Authors write `true` and `false` to switch a part of the template on or off.
    if (bareExpression.value.type === 'boolean') return
    if (bareExpression.value.type === 'nil') return walk.report(constantCondition(span, false, ''))
  }
  if (kind === 'literal' || kind === 'hash' || kind === 'array' || kind === 'range' || kind === 'interpolation')
    return walk.report(constantCondition(span, true, ONLY_NIL_AND_FALSE))
  if (kind !== 'lookup' || bareExpression.name === null || bareExpression.path.length > 0) return
  const { name } = bareExpression.name
  // The arguments of the current callers do not limit what a partial supports.
  if (walk.flow.variables.get(name)?.certain !== true || walk.flow.local(name) !== undefined) return
  if (constantTruth(type) === true)
    walk.report(
      constantCondition(span, true, `\`${name}\` is ${withArticle(describe(type))}, and ${ONLY_NIL_AND_FALSE}`),
    )
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
