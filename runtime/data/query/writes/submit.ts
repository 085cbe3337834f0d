/** `form_submit`: reads the result of a form from the variables of its submission. */
import { CHANGES, MESSAGES, WRITTEN } from '../forms.ts'
import { type Build, type Json, Leaf, type Selected } from '../model.ts'
import { read } from '../rows/filter.ts'
import { foundById } from '../rows/need.ts'
import { constantJson, objectJson } from '../rows/json.ts'
import { scalarType, wrapped } from '../result-type.ts'
import { firstJson } from '../rows/page.ts'
import { idText } from '../rows/values.ts'
import { sql } from '../../sql/sql.ts'

/** The result of an accepted form, or the messages of a rejected one. */
export function submittedJson(call: Selected, build: Build): Json {
  const messages = build.bind(leafAt(MESSAGES), 'jsonb')
  const parts = call.selection.map((field) => {
    const type = scalarType(field.type)
    if (field.name === '__typename') return { key: field.key, json: constantJson('FormSubmitPayload', type) }
    if (field.name === 'validation_errors') return { key: field.key, json: { sql: messages, shape: null, type } }
    const result = resultJson(field, build)
    const expression = sql`case when ${messages} is null then ${result.sql} end`
    return { key: field.key, json: { ...result, sql: expression } }
  })
  const object = objectJson(parts, call.at)
  return { ...object, type: wrapped(call.type, object.type) }
}

function resultJson(call: Selected, build: Build): Json {
  const parts = call.selection.map((field) => {
    const type = scalarType(field.type)
    if (field.name === '__typename') return { key: field.key, json: constantJson('Result', type) }
    if (field.name === 'changes')
      return { key: field.key, json: { sql: build.bind(leafAt(CHANGES), 'jsonb'), shape: null, type } }
    const reading = read({ rows: 'users', filter: undefined, deleted: true }, build)
    reading.where.push(sql`${reading.scope.alias}.id = ${build.bind(leafAt(WRITTEN), 'bigint', idText)}`)
    foundById(reading.need, leafAt(WRITTEN), build)
    return { key: field.key, json: firstJson(field, reading, build) }
  })
  const object = objectJson(parts, call.at)
  return { ...object, type: wrapped(call.type, object.type) }
}

function leafAt(name: string): Leaf {
  return new Leaf(null, { kind: 'variable', path: [name] }, null, false)
}
