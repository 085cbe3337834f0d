/** `JsonbFilter`: conditions on the keys and values of a JSON object. */
import type { Build, Input, InputFields, Leaf } from '../model.ts'
import { negate } from './column-filter.ts'
import { flagOf, itemsOf, leafOf } from './input.ts'
import { containsPattern, listConverter, numberText, plainText } from './comparison-values.ts'
import { sql, type Sql, join } from '../../sql/sql.ts'

/** Conditions on a `jsonb` expression that is never null. */
export function jsonbConditions(json: Sql, input: Input | undefined, build: Build): readonly Sql[] {
  return itemsOf(input).flatMap((item) => {
    const matched = conditions(json, item, build)
    if (matched.length === 0) return []
    const allConditions = join(matched, ' and ')
    return [flagOf(item['exclude'], false) === true ? negate(allConditions) : allConditions]
  })
}

function conditions(json: Sql, item: InputFields, build: Build): readonly Sql[] {
  const matched: Sql[] = []
  const key = leafOf(item['has_key'])
  if (key !== null) matched.push(sql`${json} ? ${build.bind(key, 'text', plainText)}`)
  const contains = leafOf(item['contains'])
  if (contains !== null) matched.push(containsSql(json, contains, build))
  for (const attribute of [...itemsOf(item['attribute']), ...itemsOf(item['attributes'])])
    matched.push(...attributeConditions(json, attribute, build))
  return matched
}

/**
 * Returns the condition that JSON contains a text: as a key, as the value of a key, as a member of a list, or as JSON in the sense of `@>`.
 */
function containsSql(json: Sql, leaf: Leaf, build: Build): Sql {
  const wantedJson = build.bind(leaf, 'jsonb', jsonOf)
  const wantedText = build.bind(leaf, 'text', plainText)
  const members = sql`(select e from jsonb_each(${json}) v, ${elementsSql(sql`v.value`)} e)`
  return sql`(${json} @> ${wantedJson} or ${json} ? ${wantedText} or ${wantedText} in ${members})`
}

/** Returns the texts of the members of a list, or of a single value. */
function elementsSql(value: Sql): Sql {
  return sql`jsonb_array_elements_text(case jsonb_typeof(${value}) when 'array' then ${value} else jsonb_build_array(${value}) end)`
}

function jsonOf(value: unknown): string | null {
  const text = plainText(value)
  if (text === null) return null
  try {
    JSON.parse(text)
    return text
  } catch {
    return null
  }
}

/** Values are compared as text. */
function comparisonText(value: unknown): string | null {
  return typeof value === 'object' && value !== null ? plainText(JSON.stringify(value)) : plainText(value)
}

function attributeConditions(json: Sql, fields: InputFields, build: Build): readonly Sql[] {
  const key = leafOf(fields['key'])
  if (key === null) return []
  const name = build.bind(key, 'text', plainText)
  const value = sql`(${json} -> ${name})`
  const text = sql`(${json} ->> ${name})`
  const items = sql`(select e from ${elementsSql(value)} e)`
  const list = (leaf: Leaf): Sql => build.bind(leaf, 'text[]', listConverter(comparisonText))
  const overlaps = (leaf: Leaf): Sql => sql`exists (select from ${items} i where i.e = any(${list(leaf)}))`
  const equalsValue = (leaf: Leaf): Sql => {
    const comparedValue = build.bind(leaf, 'text', comparisonText)
    return sql`(${text} = ${comparedValue} or ${comparedValue} in ${items})`
  }
  const tests: Readonly<Record<string, (leaf: Leaf) => Sql>> = {
    value: equalsValue,
    value_int: equalsValue,
    value_boolean: equalsValue,
    value_float: (leaf) =>
      sql`case jsonb_typeof(${value}) when 'number' then ${text}::numeric = ${build.bind(leaf, 'numeric', numberText)} else false end`,
    value_in: overlaps,
    array_value_in: overlaps,
    array_overlaps: overlaps,
    array_contains: (leaf) => sql`array${items} @> ${list(leaf)}`,
    value_array: (leaf) => sql`array${items} = ${list(leaf)}`,
    contains: (leaf) => sql`coalesce(${text}, '') ilike ${build.bind(leaf, 'text', containsPattern)}`,
    exists: (leaf) =>
      sql`(${text} is not null) = ${build.bind(leaf, 'boolean', (flag) => flag !== false && flag !== 'false')}`,
  }
  const matched: Sql[] = []
  for (const [test, write] of Object.entries(tests)) {
    const leaf = leafOf(fields[test])
    if (leaf !== null) matched.push(write(leaf))
    const negatedLeaf = leafOf(fields[`not_${test}`])
    if (negatedLeaf !== null) matched.push(negate(write(negatedLeaf)))
  }
  return matched
}
