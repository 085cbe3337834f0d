/** `form_submit`: reads the result of a form from the variables of its submission. */
import { CHANGES_VARIABLE, MESSAGES_VARIABLE, WRITTEN_VARIABLE } from '../forms.ts'
import { type Build, type JsonExpression, Leaf, type Selected } from '../model.ts'
import { rowQuery } from '../rows/filter.ts'
import { noteIdLookup } from '../rows/index-need.ts'
import { constantJson, objectJson } from '../rows/json.ts'
import { scalarResultType, wrapType } from '../result-type.ts'
import { firstJson } from '../rows/page.ts'
import { idText } from '../rows/comparison-values.ts'
import { sql } from '../../sql/sql.ts'

/** Returns the JSON of the result of an accepted form, or of the messages of a rejected form. */
export function formResultJson(call: Selected, build: Build): JsonExpression {
  const messages = build.bind(leafAt(MESSAGES_VARIABLE), 'jsonb')
  const parts = call.selection.map((field) => {
    const type = scalarResultType(field.type)
    if (field.name === '__typename') return { key: field.responseKey, json: constantJson('FormSubmitPayload', type) }
    if (field.name === 'validation_errors')
      return { key: field.responseKey, json: { sql: messages, shape: null, type } }
    const result = resultJson(field, build)
    const expression = sql`case when ${messages} is null then ${result.sql} end`
    return { key: field.responseKey, json: { ...result, sql: expression } }
  })
  const object = objectJson(parts, call.range)
  return { ...object, type: wrapType(call.type, object.type) }
}

function resultJson(call: Selected, build: Build): JsonExpression {
  const parts = call.selection.map((field) => {
    const type = scalarResultType(field.type)
    if (field.name === '__typename') return { key: field.responseKey, json: constantJson('Result', type) }
    if (field.name === 'changes')
      return { key: field.responseKey, json: { sql: build.bind(leafAt(CHANGES_VARIABLE), 'jsonb'), shape: null, type } }
    const reading = rowQuery({ rows: 'users', filter: undefined, includesDeleted: true }, build)
    reading.conditions.push(sql`${reading.scope.alias}.id = ${build.bind(leafAt(WRITTEN_VARIABLE), 'bigint', idText)}`)
    noteIdLookup(reading.need, leafAt(WRITTEN_VARIABLE), build)
    return { key: field.responseKey, json: firstJson(field, reading, build) }
  })
  const object = objectJson(parts, call.range)
  return { ...object, type: wrapType(call.type, object.type) }
}

function leafAt(name: string): Leaf {
  return new Leaf(null, { kind: 'variable', path: [name] }, null, false)
}
