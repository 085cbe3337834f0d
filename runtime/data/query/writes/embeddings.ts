/** Vectors with their content, and nearest-neighbour search. */
import type { Build, Input, InputFields, JsonExpression, Leaf, SourceRange, Selected } from '../model.ts'
import { asFloat } from '../rows/floats.ts'
import { fieldsOf, itemsOf, leafOf } from '../rows/input.ts'
import { jsonbConditions } from '../rows/jsonb-filter.ts'
import { scalarResultType, wrapType } from '../result-type.ts'
import { timeJson } from '../rows/property-json.ts'
import { plainCollection, plainRow, plainTerms } from '../rows/plain-collection.ts'
import { type PlainKeys, plainConditions } from '../rows/plain-filter.ts'
import {
  assignedColumns,
  checkLiteral,
  columnNames,
  columnsSql,
  idParameter,
  invalidValue,
  textForError,
} from './columns.ts'
import { changeStatement, changeStatementOrError } from './result.ts'
import { plainJson } from '../../values/json-text.ts'
import { identifier, join, sql, type Sql } from '../../sql/sql.ts'
import { NULL_JSON } from '../rows/json.ts'
import { parseJsonText, isObject } from '../../values/json-data.ts'

/** The number of dimensions of a vector. */
const LENGTH = 1_536

/**
 * Returns the text of a vector, in single precision.
 * @throws QueryError for a wrong number of dimensions
 */
function vectorText(value: unknown, range: SourceRange | null): string {
  const numbers: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (numbers.length !== LENGTH)
    throw invalidValue('embedding', `An embedding has ${LENGTH} numbers, not ${numbers.length}.`, range)
  return `{${numbers.map((one) => singleText(one, range)).join(',')}}`
}

function singleText(value: unknown, range: SourceRange | null): string {
  const single = Math.fround(Number(value))
  if (!Number.isFinite(single) || typeof value === 'boolean' || value === null)
    throw invalidValue('embedding', 'An embedding contains a value that is not a single-precision number.', range)
  return `${single}`
}

function vectorSql(leaf: Leaf, build: Build): Sql {
  const convert = (value: unknown): string => vectorText(value, leaf.range)
  checkLiteral(leaf, convert, build)
  return sql`${build.bind(leaf, 'text', convert)}::real[]`
}

function embeddingField(alias: Sql, build: Build): (call: Selected) => JsonExpression {
  return (call) => {
    const plain = (expression: Sql): JsonExpression => ({
      sql: expression,
      shape: null,
      type: scalarResultType(call.type),
    })
    switch (call.name) {
      case 'id':
        return plain(sql`${alias}.id::text`)
      case 'created_at':
      case 'updated_at':
        return plain(timeJson(sql`${alias}.${identifier(call.name)}`))
      case 'embedding':
        return asFloat(plain(sql`${alias}.embedding`), build, true)
      case 'content':
      case 'metadata':
      case 'token_count':
        return plain(sql`${alias}.${identifier(call.name)}`)
      default:
        return plain(NULL_JSON)
    }
  }
}

const COLUMNS = { content: 'text', created_at: 'required time', updated_at: 'required time' } as const

/** Returns the SQL of the given columns. */
function columns(fields: InputFields, build: Build): Map<string, Sql> {
  const columnValues = new Map(columnsSql(fields, COLUMNS, build))
  const vector = leafOf(fields['embedding'])
  if (vector !== null) columnValues.set('embedding', vectorSql(vector, build))
  const metadata = leafOf(fields['metadata'])
  if (metadata !== null) {
    const convert = (value: unknown): string => objectText(value, metadata.range)
    checkLiteral(metadata, convert, build)
    columnValues.set('metadata', sql`${build.bind(metadata, 'text', convert)}::jsonb`)
  } else if (fields['metadata'] === null) columnValues.set('metadata', sql`'{}'::jsonb`)
  const count = leafOf(fields['token_count'])
  if (count !== null) columnValues.set('token_count', build.bind(count, 'integer'))
  else if (fields['token_count'] === null) columnValues.set('token_count', sql`null::integer`)
  return columnValues
}

function objectText(value: unknown, range: SourceRange | null): string {
  const metadataValue = typeof value === 'string' ? parseJsonText(value) : value
  const text = isObject(metadataValue) ? plainJson(metadataValue) : null
  if (text === null) throw invalidValue('metadata', '`metadata` must be an object without NUL characters.', range)
  return text
}

/** Stores a vector. */
export function createEmbedding(call: Selected, build: Build): JsonExpression {
  const fields = fieldsOf(call.args['embedding']) ?? {}
  const alias = build.newAlias('e')
  const values = columns(fields, build)
  const id = columnsSql(fields, { id: 'id' }, build).get('id')
  if (id !== undefined && leafOf(fields['id']) !== null) values.set('id', sql`ingot.reserved_row(${id})`)
  const row = plainRow(call, embeddingField(alias, build))
  const inserted = sql`insert into ingot.embeddings as e (${columnNames(values)}) values (${join(values.values())})`
  return changeStatement(sql`changed as (${inserted} returning e.*)`, alias, {
    ...row,
    type: wrapType(call.type, row.type),
  })
}

/** Changes the given columns of a vector. */
export function updateEmbedding(call: Selected, build: Build): JsonExpression {
  const values = columns(fieldsOf(call.args['embedding']) ?? {}, build)
  if (!values.has('updated_at')) values.set('updated_at', sql`clock_timestamp()`)
  const assigned = assignedColumns(values)
  return changeEmbedding(call, (id) => sql`update ingot.embeddings as e set ${assigned} where e.id = ${id}`, build)
}

/** Removes a vector. */
export function deleteEmbedding(call: Selected, build: Build): JsonExpression {
  return changeEmbedding(call, (id) => sql`delete from ingot.embeddings as e where e.id = ${id}`, build)
}

function changeEmbedding(call: Selected, change: (id: Sql) => Sql, build: Build): JsonExpression {
  const id = idParameter(call.args['id'], build)
  const alias = build.newAlias('e')
  const row = plainRow(call, embeddingField(alias, build))
  const missingEmbedding = sql`json_build_object('id', ${textForError(call.args['id'], build)})`
  return changeStatementOrError(
    sql`changed as (${change(id)} returning e.*)`,
    alias,
    { ...row, type: wrapType(call.type, row.type) },
    missingEmbedding,
    (args) => `Can't find Embedding with id=${String(args['id'])}`,
    call,
  )
}

const SORTED = new Set(['created_at', 'id', 'updated_at'])

/** Returns a page of vectors. */
export function embeddingsJson(call: Selected, build: Build): JsonExpression {
  const alias = build.newAlias('e')
  const keys: PlainKeys = {
    created_at: { sql: sql`${alias}.created_at`, as: 'time' },
    id: { sql: sql`${alias}.id`, as: 'id' },
    metadata: { conditions: (input) => jsonbConditions(sql`${alias}.metadata`, input, build) },
    updated_at: { sql: sql`${alias}.updated_at`, as: 'time' },
  }
  const rows = {
    from: sql`ingot.embeddings ${alias}`,
    alias,
    conditions: plainConditions(call.args['filter'], keys, build),
    order: order(call.args['sort'], alias, build),
    field: embeddingField(alias, build),
  }
  return plainCollection(call, rows, build)
}

/** Returns the sort terms. Distances are Euclidean. */
function order(sort: Input | undefined, alias: Sql, build: Build): Sql {
  const terms = itemsOf(sort).flatMap((item) => {
    const leaf = leafOf(fieldsOf(item['embedding'])?.['embedding'])
    const nearest =
      leaf === null
        ? []
        : [sql`(select sum((a - b) ^ 2) from unnest(${alias}.embedding, ${vectorSql(leaf, build)}) as u(a, b))`]
    return [...nearest, ...plainTerms([item], alias, SORTED, build)]
  })
  return join([...terms, sql`${alias}.id`])
}
