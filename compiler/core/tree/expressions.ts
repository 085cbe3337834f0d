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

/** A result for each kind of expression. `Context` is passed on to the cases. */
export interface ExpressionCases<Result, Context = void> {
  literal(expression: Literal, context: Context): Result
  lookup(expression: Lookup, context: Context): Result
  range(expression: RangeNode, context: Context): Result
  interpolation(expression: Interpolation, context: Context): Result
  hash(expression: HashLiteral, context: Context): Result
  array(expression: ArrayLiteral, context: Context): Result
  comparison(expression: Comparison, context: Context): Result
  logical(expression: Logical, context: Context): Result
  filtered(expression: Filtered, context: Context): Result
}

/** Returns the result of the case for the kind of this expression. */
export function evaluate<Result>(expression: Expression, cases: ExpressionCases<Result>): Result
export function evaluate<Result, Context>(
  expression: Expression,
  cases: ExpressionCases<Result, Context>,
  context: Context,
): Result
export function evaluate<Result, Context>(
  expression: Expression,
  cases: ExpressionCases<Result, Context | undefined>,
  context?: Context,
): Result {
  switch (expression.kind) {
    case 'literal':
      return cases.literal(expression, context)
    case 'lookup':
      return cases.lookup(expression, context)
    case 'range':
      return cases.range(expression, context)
    case 'interpolation':
      return cases.interpolation(expression, context)
    case 'hash':
      return cases.hash(expression, context)
    case 'array':
      return cases.array(expression, context)
    case 'comparison':
      return cases.comparison(expression, context)
    case 'logical':
      return cases.logical(expression, context)
    case 'filtered':
      return cases.filtered(expression, context)
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
