/** The tree of a YAML text. Every node has its span in the file. */
import type { Span } from './span.ts'
import type { AmbiguousScalar, ScalarValue } from './yaml-scalar.ts'
import type { SourceSegment } from './yaml-texts.ts'

export type YamlNode = YamlScalar | YamlList | YamlMap

export interface YamlScalar {
  readonly kind: 'scalar'
  readonly value: ScalarValue
  /** Whether the number was written as a float, even if its value is a whole number. */
  readonly float: boolean
  /** The text as written, without quotes and indentation: `yes` for true. */
  readonly text: string
  readonly quoted: boolean
  /** The positions of the text in the file, except escapes and folded white space; null if they are unknown. */
  readonly segments: readonly SourceSegment[] | null
  readonly span: Span
}

interface YamlList {
  readonly kind: 'list'
  readonly items: readonly YamlNode[]
  readonly span: Span
}

export interface YamlMap {
  readonly kind: 'map'
  /** The entries in order. If a key is repeated, its last entry is kept at the position of the first. */
  readonly entries: readonly YamlEntry[]
  readonly span: Span
}

export interface YamlEntry {
  readonly key: string
  readonly keySpan: Span
  readonly value: YamlNode
}

export type YamlProblem =
  /** `expected`: the missing token, if it is known. */
  | { readonly kind: 'syntax'; readonly span: Span; readonly message: string; readonly expected: string | null }
  /** A plain scalar that YAML 1.2 parses differently. */
  | ({ readonly kind: 'other-scalar'; readonly span: Span; readonly text: string } & AmbiguousScalar)
  | DuplicateKey
  /** `key: {{ x }}` without quotes, which YAML parses as a mapping inside a mapping. */
  | { readonly kind: 'bare-liquid'; readonly span: Span; readonly text: string }

export interface DuplicateKey {
  readonly kind: 'duplicate-key'
  readonly span: Span
  readonly key: string
  readonly firstSpan: Span
}

export interface Yaml {
  /** The root of the tree; null for an empty text, and for a text with a syntax error. */
  readonly tree: YamlNode | null
  readonly problems: readonly YamlProblem[]
}
