/** The fields `remote_records` and `remote_users` of rows: the values that are sent, and the parts that are asked for afterwards. */
import type { Build, JsonExpression, Selected } from '../model.ts'
import { plainArguments, selectionResultType } from '../project.ts'
import { leafOf } from './input.ts'
import { NULL_JSON } from './json.ts'
import { ownValuesJson } from './join.ts'
import type { RowScope } from './scope.ts'
import { endpointOf, RemotePart } from '../remote/part.ts'
import { reportUnreadable } from '../remote/read-field.ts'

/**
 * Returns the JSON of the values of `join_on_property` of a row. The completion replaces them by a `RemotePart`, because one request is sent
 * for all rows of the result, when all of them are known.
 */
export function remoteJson(call: Selected, scope: RowScope, build: Build): JsonExpression {
  reportUnreadable(call, build)
  const name = leafOf(call.args['join_on_property'])
  const values = name === null ? null : ownValuesJson(scope, name, build)
  const type = selectionResultType(call)
  if (values === null) return { sql: NULL_JSON, shape: null, type }
  build.markRemote()
  return {
    sql: values,
    shape(value, _host, variables) {
      const args = plainArguments(call.args, variables)
      return new RemotePart(call, endpointOf(args), String(args['join_on_property']), idsOf(value))
    },
    type,
  }
}

/** The maximum length of an id. Visitors may have stored longer texts, which would make the address too long for all rows. */
const MAX_ID_LENGTH = 500

/**
 * Returns the texts by which a row is joined: the texts and numbers in a list, or a single one. Blank texts and long texts identify nothing.
 */
function idsOf(value: unknown): readonly string[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  return values.filter((each) => typeof each === 'number' || isId(each)).map(String)
}

function isId(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '' && value.length <= MAX_ID_LENGTH
}
