/** Adds documents to search indexes, and removes them. */
import { type Build, type JsonExpression, Leaf, type SourceRange, type Selected } from '../model.ts'
import { indexName } from '../rows/documents.ts'
import { leafOf } from '../rows/input.ts'
import { scalarResultType } from '../result-type.ts'
import { plainText } from '../rows/comparison-values.ts'
import { checkLiteral, invalidValue } from './columns.ts'
import { plainJson } from '../../values/json-text.ts'
import { sql, type Sql } from '../../sql/sql.ts'
import { parseJsonText, isObject } from '../../values/json-data.ts'

/** How an existing document is changed. It is replaced, or merged with the properties of the new document. */
const REPLACE_DOCUMENT = sql`excluded.document`
const MERGE_DOCUMENT = sql`d.document || excluded.document`

// The generated id is not a number, because callers may use numbers as ids.
const ID = sql`coalesce(n.id, gen_random_uuid()::text)`
const RESULT = sql`json_build_object('id', w.id, 'result', case when w.created then 'created' else 'updated' end)`

/** Inserts a document, replacing the one with its id. */
export function insertDocument(call: Selected, build: Build): JsonExpression {
  return putDocument(call, REPLACE_DOCUMENT, build)
}

/** Inserts a document, or merges it into the one with its id. */
export function upsertDocument(call: Selected, build: Build): JsonExpression {
  return putDocument(call, MERGE_DOCUMENT, build)
}

function putDocument(call: Selected, conflictAction: Sql, build: Build): JsonExpression {
  const id = leafOf(call.args['id'])
  const documentId = id === null ? sql`null::text` : build.bind(id, 'text', plainText)
  const document = documentSql(call, 'document', (value, range) => objectText(value, range), build)
  const rows = sql`select ${documentId} as id, ${document} as document`
  return resultJson(call, sql`with ${insertSql(call, rows, conflictAction, build)} select ${RESULT} from w`)
}

/**
 * Inserts or merges many documents, which contain their ids. When several documents have the same id, later documents are merged into
 * earlier ones.
 */
export function upsertDocuments(call: Selected, build: Build): JsonExpression {
  const documents = documentSql(call, 'documents', listText, build)
  const rows = sql`select v ->> 'id' as id, v -> 'document' as document from jsonb_array_elements(${documents}) with ordinality as l(v, place) order by place`
  const list = sql`json_build_object('documents', coalesce((select json_agg(${RESULT}) from w), '[]'::json))`
  return resultJson(call, sql`with ${insertSql(call, rows, MERGE_DOCUMENT, build)} select ${list}`)
}

/** Removes a document. A missing document is not an error. */
export function deleteDocument(call: Selected, build: Build): JsonExpression {
  const id = leafOf(call.args['id'])
  const documentId = id === null ? sql`null::text` : build.bind(id, 'text', plainText)
  const deletion = sql`delete from ingot.documents d where d.search_index = ${indexName(call, build)} and d.id = ${documentId} returning d.id`
  const outcome = sql`json_build_object('id', ${documentId}, 'result', case when exists (select from gone) then 'deleted' else 'not_found' end)`
  return resultJson(call, sql`with gone as (${deletion}) select ${outcome}`)
}

function insertSql(call: Selected, rows: Sql, conflictAction: Sql, build: Build): Sql {
  // `xmax` is not zero when this statement has updated an existing row, because an update locks the row.
  const created = sql`d.xmax = 0`
  return sql`n as materialized (${rows}), w as (insert into ingot.documents as d (search_index, id, document)
    select ${indexName(call, build)}, ${ID}, n.document from n on conflict (search_index, id)
    do update set document = ${conflictAction}, updated_at = clock_timestamp() returning d.id, ${created} as created)`
}

function resultJson(call: Selected, expression: Sql): JsonExpression {
  return { sql: expression, shape: null, type: scalarResultType(call.type) }
}

function documentSql(
  call: Selected,
  name: string,
  textOf: (value: unknown, range: SourceRange | null) => string,
  build: Build,
): Sql {
  const leaf = leafOf(call.args[name])
  const convert = (value: unknown): string => textOf(value, leaf?.range ?? null)
  // Null is rejected, like every other value that is not an object.
  const documentLeaf = leaf ?? new Leaf(null, { kind: 'constant', value: null }, call.range)
  checkLiteral(documentLeaf, convert, build)
  return sql`${build.bind(documentLeaf, 'text', convert)}::jsonb`
}

/**
 * Returns the JSON text of a document.
 * @throws QueryError when the value is not an object
 */
function objectText(value: unknown, range: SourceRange | null): string {
  const documentValue = typeof value === 'string' ? parseJsonText(value) : value
  const text = isObject(documentValue) ? plainJson(documentValue) : null
  if (text === null) throw invalidValue('document', 'A document must be an object without NUL characters.', range)
  return text
}

/** Groups documents by id. Each document without an id forms its own group. */
function listText(value: unknown, range: SourceRange | null): string {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  const rows: { id: string | null; document: Record<string, unknown> }[] = []
  const byId = new Map<string, (typeof rows)[number]>()
  for (const one of list) {
    const document = parseJsonText(objectText(one, range))
    if (!isObject(document)) throw new Error('The JSON text of a document is not an object.')
    const ownId = idOf(document)
    const earlierDocument = ownId === null ? undefined : byId.get(ownId)
    if (earlierDocument !== undefined) {
      earlierDocument.document = { ...earlierDocument.document, ...document }
      continue
    }
    const row = { id: ownId, document }
    rows.push(row)
    if (ownId !== null) byId.set(ownId, row)
  }
  return JSON.stringify(rows)
}

function idOf(document: Readonly<Record<string, unknown>>): string | null {
  const id = Object.hasOwn(document, 'id') ? document['id'] : null
  return typeof id === 'string' || typeof id === 'number' ? String(id) : null
}
