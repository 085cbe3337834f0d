/**
 * The tree of a template. The kinds of nodes are fixed, but not the tags: the markup of a `TagNode` has the type that its tag defines.
 *
 *     {% if a.b == 1 %}x{{ c | upcase }}{% endif %}
 *     TagNode if
 *       markup: Condition(compare == (Lookup a .b) (Literal 1))
 *       body:   [Text x, Output(Filtered(Lookup c, [upcase]))]
 */
import type { Span } from '../source/span.ts'

export type Node = Text | Output | TagNode

interface Text {
  readonly kind: 'text'
  /** The text after whitespace control. */
  readonly text: string
  readonly span: Span
}

interface Output {
  readonly kind: 'output'
  /** The printed value; null for an empty `{{ }}`. */
  readonly value: Filtered | null
  /** Surplus markup after the value, which is ignored if the dialect allows it. */
  readonly leftoverSpan: Span | null
  readonly span: Span
}

/** A part of a block that begins with a branch tag, such as `else`, and ends at the next branch tag or the end tag. */
export interface Branch<Markup = unknown> {
  readonly name: string
  readonly markup: Markup
  readonly body: readonly Node[]
  readonly leftoverSpan: Span | null
  /** The span of the branch tag. */
  readonly span: Span
}

export interface TagNode<Markup = unknown, BranchMarkup = unknown> {
  readonly kind: 'tag'
  /** The canonical name: `function`, also for `function_rc`. */
  readonly name: string
  /** The name as the author wrote it. */
  readonly writtenName: NameNode
  readonly markup: Markup
  /** The body up to the first branch; empty for inline tags. */
  readonly body: readonly Node[]
  readonly branches: readonly Branch<BranchMarkup>[]
  readonly leftoverSpan: Span | null
  /** The span of the opening tag. */
  readonly span: Span
  /** The span from the opening tag to the end tag. */
  readonly wholeSpan: Span
  /** The source text of the body of a raw tag (`raw`, `comment`, `doc`), after whitespace control. */
  readonly raw: string | null
}

export interface NameNode {
  readonly name: string
  readonly span: Span
}

export type Expression =
  | Literal
  | Lookup
  | RangeNode
  | Interpolation
  | HashLiteral
  | ArrayLiteral
  | Comparison
  | Logical
  | Filtered

export interface Literal {
  readonly kind: 'literal'
  readonly value: LiteralValue
  readonly span: Span
}

export type LiteralValue =
  | { readonly type: 'nil' | 'blank' | 'empty' }
  | { readonly type: 'boolean'; readonly value: boolean }
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'integer'; readonly value: number | bigint }
  | { readonly type: 'float'; readonly value: number }

export interface Lookup {
  readonly kind: 'lookup'
  /** The name of the variable; null for `["computed name"]` in base Liquid, whose first accessor is the name. */
  readonly name: NameNode | null
  readonly path: readonly Accessor[]
  readonly span: Span
}

export type Accessor =
  | { readonly kind: 'key'; readonly name: string; readonly span: Span }
  | { readonly kind: 'index'; readonly value: Expression; readonly span: Span }

export interface RangeNode {
  readonly kind: 'range'
  readonly from: Expression
  readonly to: Expression
  readonly span: Span
}

/** `"Hi {{ name | upcase }}"`: alternating texts and values. */
export interface Interpolation {
  readonly kind: 'interpolation'
  readonly parts: readonly (string | Filtered)[]
  readonly span: Span
}

export interface HashLiteral {
  readonly kind: 'hash'
  readonly entries: readonly { readonly key: HashKey; readonly value: Expression }[]
  readonly span: Span
}

/** A quoted key is literal. A bare word means the variable with that name if it is set; otherwise the word itself. */
export type HashKey =
  | { readonly kind: 'quoted'; readonly name: string; readonly span: Span }
  | { readonly kind: 'bare'; readonly name: string; readonly span: Span }
  | { readonly kind: 'computed'; readonly value: Interpolation; readonly span: Span }

export interface ArrayLiteral {
  readonly kind: 'array'
  readonly items: readonly Expression[]
  readonly span: Span
}

export type ComparisonOperator = '==' | '!=' | '<' | '>' | '<=' | '>=' | 'contains'

export interface Comparison {
  readonly kind: 'comparison'
  /** `unknown`: an operator that Liquid rejects when the condition is evaluated (`if not x`). */
  readonly operator: ComparisonOperator | { readonly unknown: string }
  readonly left: Expression
  readonly right: Expression
  readonly span: Span
}

/** Right-associative, without precedence: `a and b or c` is `a and (b or c)`. */
export interface Logical {
  readonly kind: 'logical'
  readonly operator: 'and' | 'or'
  readonly left: Expression
  readonly right: Expression
  readonly span: Span
}

export interface Filtered {
  readonly kind: 'filtered'
  readonly input: Expression
  readonly filters: readonly FilterCall[]
  readonly span: Span
}

export interface FilterCall {
  readonly name: NameNode
  readonly positional: readonly Expression[]
  readonly named: readonly NamedArgument[]
  readonly span: Span
}

export interface NamedArgument {
  readonly name: NameNode
  readonly value: Expression
  /** A filter on the value of an argument. It is parsed but never applied. Null if there is none. */
  readonly ignoredFilters: Span | null
}

/** The target of an assignment: `h['a'].b`, or a plain name if `path` is empty. */
export interface WriteTarget {
  readonly name: NameNode
  readonly path: readonly Accessor[]
  readonly span: Span
}

/** Returns the input of an expression without its filters. */
export function unfiltered(expression: Expression): Expression {
  return expression.kind === 'filtered' && expression.filters.length === 0 ? expression.input : expression
}

/** Returns the text of a string literal; null for any other expression, and for none. */
export function stringOf(expression: Expression | null | undefined): string | null {
  return expression?.kind === 'literal' && expression.value.type === 'string' ? expression.value.value : null
}
