/** Items: the flat list of texts, outputs and tags of a template, each with its parsed markup. */
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import type { Filtered, NameNode } from '../../core/tree/ast.ts'
import type { Span } from '../../core/source/span.ts'
import type { Tag } from '../../language/tags/tag.ts'

export type Item =
  | SourceItem
  | {
      readonly kind: 'output'
      readonly value: Filtered | null
      readonly leftoverSpan: Span | null
      readonly span: Span
      readonly start: number
    }
  | {
      readonly kind: 'open'
      readonly tag: Tag
      readonly writtenName: NameNode
      readonly markup: unknown
      readonly leftoverSpan: Span | null
      readonly span: Span
      readonly start: number
    }
  | {
      readonly kind: 'branch'
      readonly writtenName: NameNode
      readonly markup: unknown
      readonly leftoverSpan: Span | null
      readonly span: Span
      readonly start: number
      /** The error in the markup. It is reported only if the branch is inside a block that it belongs to. */
      readonly refusal?: Diagnostic
    }
  | EndItem
  /** Markup that cannot be parsed. `tag` is null for an output, a branch and an end. */
  | {
      readonly kind: 'broken'
      readonly tag: Tag | null
      readonly writtenName: NameNode | null
      readonly span: Span
      readonly start: number
    }

/** An item, with one shape for each kind, so that a check of `kind` narrows the type. */
type VariantOf<Kind extends string, Shape> = { readonly [K in Kind]: Shape & { readonly kind: K } }[Kind]

type SourceItem = VariantOf<
  'text' | 'raw' | 'open-raw' | 'unterminated' | 'bad-line' | 'comment',
  { readonly start: number; readonly end: number }
>

type EndItem = VariantOf<
  'end' | 'unknown',
  { readonly writtenName: NameNode; readonly leftoverSpan: Span | null; readonly span: Span; readonly start: number }
>
