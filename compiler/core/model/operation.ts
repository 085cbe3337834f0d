/** GraphQL operations of a site: stored in files of their own, or written inline in a template. Types only. */
import type { DataSchema, IndexSpec } from '../../../runtime/page/compiled.ts'
import type { Analysis } from '../../../runtime/data/query/model.ts'
import type { Span } from '../source/span.ts'
import type { Node } from './ast.ts'
import type { Type } from './type.ts'

export type {
  DataSchema,
  IndexSpec,
  PropertyDef,
  PropertyType,
  SearchField,
  SearchIndexDef,
  TableDef,
} from '../../../runtime/page/compiled.ts'
export type {
  SchemaResultField,
  SchemaResultObject,
  SchemaResultType,
} from '../../../runtime/data/query/result-type-model.ts'
export type { Analysis, SourceRange, Problem, ResultType, VariableDef } from '../../../runtime/data/query/model.ts'
export type {
  KeyValue,
  RowKey,
  StatementAccess,
  RowAccess,
  KeyValueSource,
} from '../../../runtime/data/query/row-access.ts'

/** What a variable, or a part of one, takes. */
export type InputShape =
  | { readonly kind: 'text' | 'integer' | 'float' | 'boolean' | 'id' | 'any' }
  | { readonly kind: 'enum'; readonly values: readonly string[] }
  | { readonly kind: 'list'; readonly of: InputShape }
  /** A hash. Shapes may hold themselves, so the fields are made when they are asked for. */
  | { readonly kind: 'object'; fields(): ReadonlyMap<string, InputShape> }

export interface Variable {
  readonly name: string
  /** As written: `[String!]`. */
  readonly type: string
  /** There is no running the query without it. */
  readonly required: boolean
  readonly span: Span
  readonly shape: InputShape
}

export interface Operation {
  /** Logical name; null for one that is written inline. */
  readonly name: string | null
  /** Where the document stands: a whole `.graphql` file, or the body of a tag. */
  readonly span: Span
  readonly document: string
  readonly analysis: Analysis
  readonly variables: readonly Variable[]
  /** What a template gets of it; unknown for a document that does not hold. */
  readonly result: Type
}

export interface Operations {
  /** By logical name. */
  readonly stored: ReadonlyMap<string, Operation>
  /** Whole names of stored ones by the names of their files, where that names one: what `storedNamed` falls back to. */
  readonly bare: ReadonlyMap<string, string>
  /** Inline documents without Liquid in them, by file and offset: `inlineKey`. */
  readonly inline: ReadonlyMap<string, Operation>
  /** What all of them need, each once, in a stable order. */
  readonly indexes: readonly IndexSpec[]
  readonly data: DataSchema
}

/** The stored operation that a template calls by a name: by its whole name, else by the name of its file alone. */
export function storedNamed({ stored, bare }: Operations, name: string): Operation | undefined {
  return stored.get(name) ?? stored.get(bare.get(name) ?? '')
}

/** The document that the body of a `graphql` tag is, with its place; null where Liquid in it makes the document. */
export function inlineDocument(body: readonly Node[]): { readonly document: string; readonly span: Span } | null {
  const texts = body.filter((node) => node.kind === 'text')
  const [first] = texts
  const last = texts.at(-1)
  if (first === undefined || last === undefined || texts.length < body.length) return null
  return { document: texts.map(({ text }) => text).join(''), span: { ...first.span, end: last.span.end } }
}

/** The key of an inline document in `Operations.inline`. */
export function inlineKey({ file, start }: Span): string {
  return `${file}:${start}`
}
