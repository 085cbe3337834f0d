/** The kinds of expressions: their parts, and one case for each kind. All walks over expressions use these two functions. */
import type {
  ArrayLiteral,
  Comparison,
  Expression,
  FilterCall,
  Filtered,
  HashLiteral,
  Interpolation,
  Literal,
  Logical,
  Lookup,
  RangeNode,
} from './ast.ts'

/** A result for each kind of expression. */
export interface ExpressionCases<Result> {
  literal(expression: Literal): Result
  lookup(expression: Lookup): Result
  range(expression: RangeNode): Result
  interpolation(expression: Interpolation): Result
  hash(expression: HashLiteral): Result
  array(expression: ArrayLiteral): Result
  comparison(expression: Comparison): Result
  logical(expression: Logical): Result
  filtered(expression: Filtered): Result
}

/** Returns the result of the case for the kind of this expression. */
export function evaluate<Result>(expression: Expression, cases: ExpressionCases<Result>): Result {
  switch (expression.kind) {
    case 'literal':
      return cases.literal(expression)
    case 'lookup':
      return cases.lookup(expression)
    case 'range':
      return cases.range(expression)
    case 'interpolation':
      return cases.interpolation(expression)
    case 'hash':
      return cases.hash(expression)
    case 'array':
      return cases.array(expression)
    case 'comparison':
      return cases.comparison(expression)
    case 'logical':
      return cases.logical(expression)
    case 'filtered':
      return cases.filtered(expression)
  }
}

const NO_CHILDREN: readonly Expression[] = []

/** The direct parts of an expression that are expressions, in the order in which they are evaluated. */
const CHILDREN: ExpressionCases<readonly Expression[]> = {
  literal: () => NO_CHILDREN,
  lookup: ({ path }) => path.flatMap((accessor) => (accessor.kind === 'index' ? [accessor.value] : [])),
  range: ({ from, to }) => [from, to],
  interpolation: ({ parts }) => parts.filter((part) => typeof part !== 'string'),
  hash: ({ entries }) => entries.flatMap(({ key, value }) => (key.kind === 'computed' ? [key.value, value] : [value])),
  array: ({ items }) => items,
  comparison: ({ left, right }) => [left, right],
  logical: ({ left, right }) => [left, right],
  filtered: ({ input, filters }) => [input, ...filters.flatMap(argumentsOf)],
}

/** Returns the direct parts of an expression that are expressions, in the order in which they are evaluated. */
export function childrenOf(expression: Expression): readonly Expression[] {
  return evaluate(expression, CHILDREN)
}

/** Returns the arguments of a filter, without its input. */
export function argumentsOf({ positional, named }: FilterCall): readonly Expression[] {
  return named.length === 0 ? positional : [...positional, ...named.map(({ value }) => value)]
}
