/** Which parts of an expression need parentheses, and what an expression begins with. */
import type { BinaryOperator, Code } from '../../core/model/code.ts'

/** How tightly parts of an expression hold together: what stands where a higher number is asked for gets parentheses. */
export const ANY = 1
export const CHOICE = 2
const COMPARED = 9
export const UNARY = 14
const POSTFIX = 15
export const CALLED = 17
const PRIMARY = 20

const BINARY: Readonly<Record<BinaryOperator, number>> = {
  '??': 3,
  '||': 3,
  '&&': 4,
  '&': 7,
  '===': 8,
  '!==': 8,
  in: COMPARED,
  '<': COMPARED,
  '>': COMPARED,
  '<=': COMPARED,
  '>=': COMPARED,
  '+': 11,
  '-': 11,
  '*': 12,
  '/': 12,
  '%': 12,
}

/** How tightly an expression holds together. */
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
      return CALLED
    default:
      return PRIMARY
  }
}

/** What a member, an index or arguments follow. */
export function baseLevel(code: Code, optional: boolean): number {
  // A point behind digits would be theirs, and what follows `a?.b` belongs to what `?.` may leave out.
  return code.kind === 'number' || (!optional && isChain(code)) ? Number.POSITIVE_INFINITY : CALLED
}

/** What the left operand of an operator must hold together as. */
export function leftLevel(operator: BinaryOperator, operand: Code): number {
  if (operand.kind !== 'binary') return BINARY[operator]
  const logical = (each: BinaryOperator) => each === '&&' || each === '||'
  // Nobody may write `a ?? b || c`: there is no order between them.
  const mixed = (operator === '??' && logical(operand.operator)) || (logical(operator) && operand.operator === '??')
  return mixed ? PRIMARY : BINARY[operator]
}

/** What the right operand of an operator must hold together as. */
export function rightLevel(operator: BinaryOperator, operand: Code): number {
  const own = BINARY[operator]
  // Of `&&`, `||` and `??` it does not matter which of two is done first.
  if (own <= BINARY['&&'] && operand.kind === 'binary' && operand.operator === operator) return own
  return Math.max(own + 1, leftLevel(operator, operand))
}

/** The first character of an expression, where it means something else at the beginning of a line; else null. */
export function opening(code: Code, least = ANY): '(' | '[' | '{' | '`' | '-' | null {
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
      return opening(code.object, baseLevel(code.object, code.optional))
    case 'element':
      return opening(code.object, baseLevel(code.object, false))
    case 'call':
      return opening(code.callee, baseLevel(code.callee, false))
    case 'increment':
      return code.prefix ? null : opening(code.target, CALLED)
    case 'binary':
      return opening(code.left, leftLevel(code.operator, code.left))
    case 'choice':
      return opening(code.test, CHOICE + 1)
    case 'assign':
      return opening(code.target, CALLED)
    default:
      return null
  }
}

/** Whether `?.` leaves the whole of it out. */
function isChain(code: Code): boolean {
  if (code.kind === 'member') return code.optional || isChain(code.object)
  if (code.kind === 'element') return isChain(code.object)
  return code.kind === 'call' && isChain(code.callee)
}

function isNegative(value: number | bigint): boolean {
  return value < 0 || Object.is(value, -0)
}
