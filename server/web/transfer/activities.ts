/** Checks raw activities and converts them to staged activities. An activity is identified by its uuid. */
import * as z from 'zod'
import { plainJson } from '../../../runtime/data/values/json-text.ts'
import { momentText } from '../../../runtime/data/query/rows/comparison-values.ts'
import type { CheckedActivity, RawActivity } from './rows.ts'

const time = z
  .string()
  .transform((text, context) => {
    const moment = momentText(text)
    if (moment === null) context.addIssue('it is not a time')
    return moment
  })
  .nullish()

const row = z.object({
  id: z
    .string()
    .regex(/^[1-9]\d{0,14}$/, 'it is not an id')
    .nullish(),
  uuid: z.string('it is missing').min(1, 'it is empty').max(255, 'it is too long'),
  payload: z.record(z.string(), z.unknown(), 'it is not an object').transform((value, context) => {
    const text = plainJson(value)
    if (text === null) context.addIssue('it contains NUL, which cannot be stored')
    return text ?? '{}'
  }),
  created_at: time,
  updated_at: time,
})

/** Checks an activity. Returns the staged activity or its errors. */
export function checkActivity({ location, value }: RawActivity): CheckedActivity {
  try {
    const checked = row.safeParse(value)
    if (checked.success) {
      const { id = null, uuid, payload, created_at = null, updated_at = null } = checked.data
      return { kind: 'activity', location, id, uuid: uuid.replaceAll('\0', '\ufffd'), payload, created_at, updated_at }
    }
    const faults = checked.error.issues.map(({ path, message }) => ({
      location,
      property: path.length === 0 ? null : String(path[0]),
      reason: message,
    }))
    return { kind: 'faults', faults }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return { kind: 'faults', faults: [{ location, property: 'payload', reason: 'it is nested too deeply' }] }
  }
}
