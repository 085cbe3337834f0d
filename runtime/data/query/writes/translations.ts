/** Translations that are set at run time. They are stored in rows, and override the texts of the site. */
import type { EffectHost } from '../effects.ts'
import type { Build, Input, JsonExpression, SourceRange, Selected } from '../model.ts'
import { fieldsOf, leafOf } from '../rows/input.ts'
import { objectJson, NULL_JSON } from '../rows/json.ts'
import { scalarResultType, wrapType } from '../result-type.ts'
import { timeJson } from '../rows/property-json.ts'
import { plainRow } from '../rows/plain-collection.ts'
import { checkLiteral, columnText, invalidValue } from './columns.ts'
import { changeStatement } from './result.ts'
import { plainJson } from '../../values/json-text.ts'
import { identifier, sql, type Sql } from '../../sql/sql.ts'
import { parseJsonText, isObject } from '../../values/json-data.ts'

/** Maximum length of a key. */
const MAX_KEY = 500
/** Limits: the length of a text, the number of values in a tree, and the depth of a tree. */
const MAX_LENGTH = 1_000_000
const MAX_COUNT = 10_000
const MAX_DEPTH = 50

/** Announces a change, so that every process reloads the translations. */
export async function announceTranslations(_found: unknown, effects: EffectHost | null): Promise<void> {
  await effects?.announceTranslationChange()
}

function translationField(alias: Sql): (call: Selected) => JsonExpression {
  return (call) => {
    const plain = (expression: Sql): JsonExpression => ({
      sql: expression,
      shape: null,
      type: scalarResultType(call.type),
    })
    switch (call.name) {
      case 'id':
        return plain(sql`${alias}.id::text`)
      case 'key':
      case 'locale':
        return plain(sql`${alias}.${identifier(call.name)}`)
      case 'value':
        return plain(sql`coalesce(${alias}.value #>> '{}', '')`)
      case 'created_at':
      case 'updated_at':
        return plain(timeJson(sql`${alias}.${identifier(call.name)}`))
      default:
        return plain(NULL_JSON)
    }
  }
}

/** Sets one text. */
export function setTranslation(call: Selected, build: Build): JsonExpression {
  const fields = fieldsOf(call.args['translation']) ?? {}
  const [locale, key] = [localeSql(fields['locale'], build), keySql(fields['key'], false, build)]
  const alias = build.newAlias('t')
  const row = plainRow(call, translationField(alias))
  const changedRows = sql`changed as (insert into ingot.translations as t (locale, key, value) values (${locale}, ${key},
    to_jsonb(${textSql(fields['value'], build)})) on conflict (locale, key) do update
    set value = excluded.value, updated_at = clock_timestamp() returning t.*)`
  return changeStatement(changedRows, alias, { ...row, type: wrapType(call.type, row.type) })
}

/** Removes the text that was set for a key. The text of the site then applies. The result is null when no text was set. */
export function unsetTranslation(call: Selected, build: Build): JsonExpression {
  const [locale, key] = [localeSql(call.args['locale'], build), keySql(call.args['key'], false, build)]
  const alias = build.newAlias('t')
  const row = plainRow(call, translationField(alias))
  const changedRows = sql`changed as (delete from ingot.translations as t where t.locale = ${locale} and t.key = ${key} returning t.*)`
  return {
    sql: sql`with ${changedRows} select (select ${row.sql} from changed as ${alias})`,
    shape: row.shape,
    type: wrapType(call.type, row.type),
  }
}

/** Sets all texts of a tree below a key, which may be empty. `overwrite` also removes all other texts below the key. */
export function setTranslations(call: Selected, build: Build): JsonExpression {
  const fields = fieldsOf(call.args['translation']) ?? {}
  const [locale, key] = [localeSql(fields['locale'], build), keySql(fields['key'], true, build)]
  const tree = leafOf(fields['value_json'])
  const leaves = (value: unknown): string => leavesText(value, tree?.range ?? null)
  if (tree !== null) checkLiteral(tree, leaves, build)
  const rows = tree === null ? sql`'[]'::jsonb` : build.bind(tree, 'jsonb', leaves)
  const strategy = leafOf(call.args['strategy'])
  const chosenStrategy = strategy === null ? sql`'merge'::text` : build.bind(strategy, 'text')
  const givenLeaves = sql`given as materialized (select case when ${key} = '' then g.path else ${key} || '.' || g.path end as key, g.value from jsonb_to_recordset(${rows}) as g(path text, value jsonb))`
  const deleted = sql`deleted as (delete from ingot.translations t where ${chosenStrategy} = 'overwrite' and t.locale = ${locale}
    and (${key} = '' or t.key = ${key} or starts_with(t.key, ${key} || '.')) and t.key not in (select key from given) returning 1)`
  const changedRows = sql`changed as (insert into ingot.translations as t (locale, key, value) select ${locale}, key, value from given
    on conflict (locale, key) do update set value = excluded.value, updated_at = clock_timestamp() returning 1)`
  const columns: Readonly<Record<string, Sql>> = {
    deleted_records: sql`c.deleted`,
    upserted_records: sql`c.changed`,
    key,
    locale,
    strategy: chosenStrategy,
    value_json: tree === null ? NULL_JSON : build.bind(tree, 'jsonb', (value) => JSON.stringify(objectOf(value))),
  }
  const parts = call.selection.map(({ responseKey: name, name: field, type }) => ({
    key: name,
    json: { sql: columns[field] ?? sql`'TranslationJson'::text`, shape: null, type: scalarResultType(type) },
  }))
  const object = objectJson(parts, call.range)
  const counts = sql`(select (select count(*) from deleted) as deleted, (select count(*) from changed) as changed) c`
  return {
    sql: sql`with ${givenLeaves}, ${deleted}, ${changedRows} select ${object.sql} from ${counts}`,
    shape: object.shape,
    type: wrapType(call.type, object.type),
  }
}

function checkedParameter(
  input: Input | undefined,
  convert: (value: unknown, range: SourceRange | null) => string,
  build: Build,
): Sql {
  const leaf = leafOf(input)
  if (leaf === null) return sql`null::text`
  const convertArgument = (value: unknown): string => convert(value, leaf.range)
  checkLiteral(leaf, convertArgument, build)
  return build.bind(leaf, 'text', convertArgument)
}

function localeSql(input: Input | undefined, build: Build): Sql {
  return checkedParameter(
    input,
    (value, range) => {
      const text = columnText('locale', 'text', value, range)
      if (!/^[a-z\d]{1,8}(?:[-_][a-z\d]{1,8})*$/i.test(text) || text.length > 35)
        throw invalidValue('locale', '`locale` must be a language code, such as `en` or `pt-BR`.', range)
      return text
    },
    build,
  )
}

function keySql(input: Input | undefined, mayBeEmpty: boolean, build: Build): Sql {
  return checkedParameter(
    input,
    (value, range) => {
      const text = columnText('key', 'text', value, range)
      if (!(mayBeEmpty && text === '')) checkKey(text, range)
      return text
    },
    build,
  )
}

function checkKey(key: string, range: SourceRange | null): void {
  if (key.length > MAX_KEY)
    throw invalidValue('key', `The key of a translation can have at most ${MAX_KEY} characters.`, range)
  if (key.split('.').includes(''))
    throw invalidValue('key', 'The key of a translation must consist of names separated by dots.', range)
}

function textSql(input: Input | undefined, build: Build): Sql {
  return checkedParameter(
    input,
    (value, range) => {
      const text = columnText('value', 'text', value, range)
      if (text.length > MAX_LENGTH)
        throw invalidValue('value', 'A translation is longer than a million characters.', range)
      return text
    },
    build,
  )
}

type Fields = Readonly<Record<string, unknown>>

function objectOf(value: unknown): Fields {
  const objectValue = typeof value === 'string' ? parseJsonText(value) : value
  return isObject(objectValue) ? objectValue : {}
}

/**
 * Returns the values of a tree with their paths, as JSON text.
 * @throws QueryError
 */
function leavesText(value: unknown, range: SourceRange | null): string {
  const tree = typeof value === 'string' ? parseJsonText(value) : value
  if (!isObject(tree)) throw invalidValue('value_json', '`value_json` must be an object.', range)
  const leaves: { readonly path: string; readonly value: unknown }[] = []
  const collect = (node: Fields, prefix: string, depth: number): void => {
    if (depth > MAX_DEPTH) throw invalidValue('value_json', `\`value_json\` has more than ${MAX_DEPTH} levels.`, range)
    for (const [name, part] of Object.entries(node)) {
      const path = prefix === '' ? name : `${prefix}.${name}`
      if (isObject(part)) {
        collect(part, path, depth + 1)
        continue
      }
      checkKey(path, range)
      leaves.push({ path, value: part ?? null })
      if (leaves.length > MAX_COUNT)
        throw invalidValue('value_json', `\`value_json\` has more than ${MAX_COUNT} values.`, range)
    }
  }
  collect(tree, '', 1)
  // A path such as `a.b` may be given as one name and also as nested names. The last one is used.
  const valueByPath = new Map(leaves.map((one) => [one.path, one]))
  const text = plainJson([...valueByPath.values()])
  if (text === null) throw invalidValue('value_json', '`value_json` contains the character NUL.', range)
  if (text.length > 10 * MAX_LENGTH)
    throw invalidValue('value_json', '`value_json` is longer than ten million characters.', range)
  return text
}
