/** `datetime`: a time, optionally within bounds. */
import { isBlank } from '../../../page/values/truth.ts'
import { compareWithOptions, millis, type OrderTests, valueMoment } from './moments.ts'
import { NO_PROBLEMS, type Validator, problemOf } from './validator.ts'

const ORDERS: OrderTests = {
  at: (order) => order === 0,
  before: (order) => order < 0,
  after: (order) => order > 0,
  at_or_before: (order) => order <= 0,
  at_or_after: (order) => order >= 0,
}

export const datetime: Validator = {
  description: 'The value must be a time, optionally before or after another time. Blank values are valid.',
  options: {
    at: { takes: 'date', description: 'The time that the value must equal.' },
    before: { takes: 'date', description: 'The value must be before this time.' },
    after: { takes: 'date', description: 'The value must be after this time.' },
    at_or_before: { takes: 'date', description: 'The value must be this time or an earlier one.' },
    at_or_after: { takes: 'date', description: 'The value must be this time or a later one.' },
  },
  check(value, check) {
    if (isBlank(value)) return NO_PROBLEMS
    const moment = valueMoment(value)
    return moment === null ? problemOf('invalid') : compareWithOptions(moment, ORDERS, millis, 'Datetime', check)
  },
}
