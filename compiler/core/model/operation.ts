/** GraphQL operations of a site: stored in separate files, or inline in a template. Only types. */
import type { DataSchema, IndexSpec } from '../../../runtime/page/compiled.ts'
import type { Analysis } from '../../../runtime/data/query/model.ts'
import type { Span } from '../source/span.ts'
import { type Expression, type Node, stringOf } from '../tree/ast.ts'
import type { Type } from './type.ts'

export type {
  DataSchema,
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
export type {
  Analysis,
  Mistake,
  Problem,
  ResultType,
  SourceRange,
  SyntaxStop,
} from '../../../runtime/data/query/model.ts'
export type {
  RowKey,
  StatementAccess,
  RowAccess,
  KeyValueSource,
} from '../../../runtime/data/query/row-access.ts'

/** The accepted values of a variable or of a part of it. */
export type InputShape =
  | { readonly kind: 'text' | 'integer' | 'float' | 'boolean' | 'id' | 'any' }
  | { readonly kind: 'enum'; readonly values: readonly string[] }
  | { readonly kind: 'list'; readonly element: InputShape }
  /** A hash. Shapes may contain themselves, so the fields are created on request. */
  | { readonly kind: 'object'; fields(): ReadonlyMap<string, InputShape> }

/** A variable that an operation declares. */
export interface Variable {
  readonly name: string
  /** The type as written: `[String!]`. */
  readonly type: string
  /** Whether the query cannot run without it. */
  readonly required: boolean
  readonly span: Span
  readonly shape: InputShape
}

export interface Operation {
  /** The logical name; null for an inline query. */
  readonly name: string | null
  /** The span of the document: a whole `.graphql` file, or the body of a tag. */
  readonly span: Span
  readonly document: string
  readonly analysis: Analysis
  readonly variables: readonly Variable[]
  /** The type of the result in a template; unknown for an invalid document. */
  readonly result: Type
}

export interface Operations {
  /** The stored operations by logical name. */
  readonly storedOperations: ReadonlyMap<string, Operation>
  /** The full names of stored operations by file name, if the file name is unique. A fallback of `storedNamed`. */
  readonly bareNames: ReadonlyMap<string, string>
  /** The inline operations without Liquid, by file and offset: `inlineKey`. */
  readonly inline: ReadonlyMap<string, Operation>
  /** The indexes that all operations need, each once, in a stable order. */
  readonly indexes: readonly IndexSpec[]
  readonly data: DataSchema
}

/** Returns the stored operation with this name: by its full name, or by its file name alone. */
export function storedNamed(
  { storedOperations, bareNames }: Pick<Operations, 'storedOperations' | 'bareNames'>,
  name: string,
): Operation | undefined {
  return storedOperations.get(name) ?? storedOperations.get(bareNames.get(name) ?? '')
}

/** Returns the inline document of a `graphql` tag with its span; null if it contains Liquid. */
export function inlineDocument(body: readonly Node[]): { readonly document: string; readonly span: Span } | null {
  const texts = body.filter((node) => node.kind === 'text')
  const [first] = texts
  const last = texts.at(-1)
  if (first === undefined || last === undefined || texts.length < body.length) return null
  return { document: texts.map(({ text }) => text).join(''), span: { ...first.span, end: last.span.end } }
}

/** Returns the operation that a tag runs, by its stored name or its body; undefined if it is not known before run time. */
export function operationOf(
  operations: Operations,
  { name, body }: { readonly name: Expression | null; readonly body: readonly Node[] },
): Operation | undefined {
  if (name !== null) return storedNamed(operations, stringOf(name) ?? '')
  const inline = inlineDocument(body)
  return inline === null ? undefined : operations.inline.get(inlineKey(inline.span))
}

/** Returns the key of an inline document in `Operations.inline`. */
export function inlineKey({ file, start }: Span): string {
  return `${file}:${start}`
}
