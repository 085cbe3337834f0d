/** Applies `default_payload`, the values that the site itself adds to a submission. */
import { ArgumentFault, LiquidFault } from '../../page/fault.ts'
import type { FormEntry } from '../../page/site.ts'
import { isHash } from '../../page/values/hash.ts'
import { parseJson } from '../../page/values/json.ts'
import { isBlank } from '../../page/values/truth.ts'
import { readInput } from './input.ts'
import { mergeValues } from './merge.ts'
import type { Values } from './model.ts'

/**
 * Merges a payload deeply into the values, limited to configured fields.
 * @param payload a JSON object, as text or as a hash; blank adds nothing
 * @throws LiquidFault for anything else
 */
export function mergePayload(form: FormEntry, values: Values, payload: unknown): Values {
  if (isBlank(payload)) return values
  const data = typeof payload === 'string' ? parsePayload(payload) : payload
  if (!isHash(data)) throw new LiquidFault(`default_payload of the form ${form.name} is not a JSON object`)
  const input = readInput(form, data)
  if ('problem' in input) throw new LiquidFault(`default_payload of the form ${form.name}: ${input.problem}`)
  return mergeValues(values, input.values)
}

function parsePayload(text: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    if (error instanceof ArgumentFault) return null
    throw error
  }
}
