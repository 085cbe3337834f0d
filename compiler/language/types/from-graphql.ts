/** Converts the shape of a query result to a checker type, with the spans of its selections or declarations. */
import type { ResultType } from '../../core/model/operation.ts'
import {
  BOOLEAN,
  INTEGER,
  NIL,
  NUMBER,
  SAFE,
  type ShapeOrigin,
  STRING,
  type Type,
  UNKNOWN,
} from '../../core/model/type.ts'
import { BRACE, markedSpan } from '../../core/source/mark.ts'
import type { Span } from '../../core/source/span.ts'
import { join } from './relate.ts'

/** The property declarations of each table, by table name, as marked spans. */
export type TableSpans = ReadonlyMap<string, Span>

/** The additional field of a failed result. */
const ERRORS: Type = join(
  {
    kind: 'list',
    element: {
      kind: 'record',
      fields: new Map<string, Type>([
        ['message', STRING],
        ['locations', UNKNOWN],
        ['path', UNKNOWN],
        ['extensions', UNKNOWN],
      ]),
      open: true,
      origin: null,
    },
  },
  NIL,
)

/** The text to which the offsets of a result are relative: its span, and the text of its file. */
export interface ResultDocument {
  readonly span: Span
  readonly fileText: string
}

/**
 * Returns the type of a query result. Every root field may be nil, because it can fail. A null result is that of an invalid document, of
 * which nothing is known.
 */
export function resultType(result: ResultType | null, document: ResultDocument, tables: TableSpans): Type {
  if (result === null || result.kind !== 'object') return UNKNOWN
  const type = typeOf(result, document, tables)
  if (type.kind !== 'record') return UNKNOWN
  const fields = new Map<string, Type>()
  for (const [key, field] of type.fields) fields.set(key, join(field, NIL))
  if (!fields.has('errors')) fields.set('errors', ERRORS)
  return { ...type, fields }
}

function typeOf(result: ResultType, document: ResultDocument, tables: TableSpans): Type {
  switch (result.kind) {
    case 'scalar':
      return SCALARS[result.name]
    case 'list':
      return { kind: 'list', element: typeOf(result.inner, document, tables) }
    case 'nullable':
      return join(typeOf(result.inner, document, tables), NIL)
    case 'object': {
      const fields = new Map<string, Type>()
      for (const [key, field] of result.fields) fields.set(key, typeOf(field, document, tables))
      return { kind: 'record', fields, open: false, origin: originOf(result, document, tables) }
    }
  }
}

/** The types of scalars. JSON has only one number type, so a float may be an integer. */
const SCALARS: Readonly<Record<Extract<ResultType, { kind: 'scalar' }>['name'], Type>> = {
  ID: STRING,
  String: STRING,
  Markup: SAFE,
  Int: INTEGER,
  Float: NUMBER,
  Boolean: BOOLEAN,
  Date: STRING,
  JSON: UNKNOWN,
}

function originOf(
  { range, table }: Extract<ResultType, { kind: 'object' }>,
  { span: { file, start }, fileText }: ResultDocument,
  tables: TableSpans,
): ShapeOrigin | null {
  const tableSpan = table === null ? undefined : tables.get(table)
  if (tableSpan !== undefined) return { ...tableSpan, source: 'table' }
  if (range === null) return null
  const span = { file, start: start + range.start, end: start + range.end }
  return { ...markedSpan(span, fileText, BRACE), source: 'query' }
}
