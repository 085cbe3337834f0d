/** Determines which parts of an expression need parentheses, and the first character of an expression. */
import type { BinaryOperator, Code } from '../../core/model/code.ts'

/** Precedence levels. An expression in a place that requires a higher level gets parentheses. */
export const ANY = 1
export const CHOICE = 2
const COMPARISON = 9
export const UNARY = 14
const POSTFIX = 15
export const CALL = 17
const PRIMARY = 20

const BINARY: Readonly<Record<BinaryOperator, number>> = {
  '??': 3,
  '||': 3,
  '&&': 4,
  '&': 7,
  '===': 8,
  '!==': 8,
  in: COMPARISON,
  '<': COMPARISON,
  '>': COMPARISON,
  '<=': COMPARISON,
  '>=': COMPARISON,
  '+': 11,
  '-': 11,
  '*': 12,
  '/': 12,
  '%': 12,
}

/** Returns the precedence level of an expression. */
export function level(code: Code): number {
  switch (code.kind) {
    case 'spread':
    case 'arrow':
    case 'assign':
      return ANY
    case 'choice':
      return CHOICE
    case 'binary':
      return BINARY[code.operator]
    case 'not':
    case 'await':
      return UNARY
    case 'increment':
      return code.prefix ? UNARY : POSTFIX
    case 'number':
      return isNegative(code.value) ? UNARY : PRIMARY
    case 'member':
    case 'element':
    case 'call':
    case 'new':
      return CALL
    default:
      return PRIMARY
  }
}

/** Returns the required level of the expression before a member, an index or arguments. */
export function baseLevel(code: Code, optional: boolean): number {
  // A point after digits would belong to the number, and members after `a?.b` would belong to the optional chain.
  return code.kind === 'number' || (!optional && isChain(code)) ? Number.POSITIVE_INFINITY : CALL
}

/** Returns the required level of the left operand of an operator. */
export function leftLevel(operator: BinaryOperator, operand: Code): number {
  if (operand.kind !== 'binary') return BINARY[operator]
  const isLogical = (each: BinaryOperator) => each === '&&' || each === '||'
  // JavaScript forbids `a ?? b || c` without parentheses.
  const isMixed =
    (operator === '??' && isLogical(operand.operator)) || (isLogical(operator) && operand.operator === '??')
  return isMixed ? PRIMARY : BINARY[operator]
}

/** Returns the required level of the right operand of an operator. */
export function rightLevel(operator: BinaryOperator, operand: Code): number {
  const ownLevel = BINARY[operator]
  // `&&`, `||` and `??` are associative.
  if (ownLevel <= BINARY['&&'] && operand.kind === 'binary' && operand.operator === operator) return ownLevel
  return Math.max(ownLevel + 1, leftLevel(operator, operand))
}

/** Returns the first character of an expression if it has another meaning at the beginning of a line; otherwise null. */
export function firstCharacter(code: Code, least = ANY): '(' | '[' | '{' | '`' | '-' | null {
  if (level(code) < least) return '('
  switch (code.kind) {
    case 'list':
      return '['
    case 'object':
      return '{'
    case 'template':
      return '`'
    case 'arrow':
      return code.async ? null : '('
    case 'number':
      return isNegative(code.value) ? '-' : null
    case 'member':
      return firstCharacter(code.object, baseLevel(code.object, code.optional))
    case 'element':
      return firstCharacter(code.object, baseLevel(code.object, false))
    case 'call':
      return firstCharacter(code.callee, baseLevel(code.callee, false))
    case 'increment':
      return code.prefix ? null : firstCharacter(code.target, CALL)
    case 'binary':
      return firstCharacter(code.left, leftLevel(code.operator, code.left))
    case 'choice':
      return firstCharacter(code.test, CHOICE + 1)
    case 'assign':
      return firstCharacter(code.target, CALL)
    default:
      return null
  }
}

/** Returns whether the expression is an optional chain. */
function isChain(code: Code): boolean {
  if (code.kind === 'member') return code.optional || isChain(code.object)
  if (code.kind === 'element') return isChain(code.object)
  return code.kind === 'call' && isChain(code.callee)
}

function isNegative(value: number | bigint): boolean {
  return value < 0 || Object.is(value, -0)
}
