/** What a YAML text is read into. Every node knows its place in the file. */
import type { Span } from './span.ts'
import type { AmbiguousScalar, ScalarValue } from './yaml-scalar.ts'
import type { SourceSegment } from './yaml-texts.ts'

export type YamlNode = YamlScalar | YamlList | YamlMap

export interface YamlScalar {
  readonly kind: 'scalar'
  readonly value: ScalarValue
  /** The number was written as a float, also when its value is integral. */
  readonly float: boolean
  /** The text as written, without quotes and indentation: `yes` for true. */
  readonly text: string
  readonly quoted: boolean
  /** Where it stands in the file, but for escapes and folded white space; null where that is not known. */
  readonly segments: readonly SourceSegment[] | null
  readonly span: Span
}

export interface YamlList {
  readonly kind: 'list'
  readonly items: readonly YamlNode[]
  readonly span: Span
}

export interface YamlMap {
  readonly kind: 'map'
  /** Of a repeated key only the last entry, at the place of the first. */
  readonly entries: readonly YamlEntry[]
  readonly span: Span
}

export interface YamlEntry {
  readonly key: string
  readonly keySpan: Span
  readonly value: YamlNode
}

export type YamlProblem =
  /** `expected`: what is missing, where that is one thing. */
  | { readonly kind: 'syntax'; readonly span: Span; readonly message: string; readonly expected: string | null }
  /** A plain scalar that YAML 1.2 reads as something else. */
  | ({ readonly kind: 'other-scalar'; readonly span: Span; readonly text: string } & AmbiguousScalar)
  | DuplicateKey
  /** `key: {{ x }}` without quotes, which is a mapping inside a mapping. */
  | { readonly kind: 'bare-liquid'; readonly span: Span; readonly text: string }

export interface DuplicateKey {
  readonly kind: 'duplicate-key'
  readonly span: Span
  readonly key: string
  readonly first: Span
}

export interface Yaml {
  /** Null for an empty text and for one that cannot be read. */
  readonly tree: YamlNode | null
  readonly problems: readonly YamlProblem[]
}
