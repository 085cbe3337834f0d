/** `date`: a date, optionally within bounds. */
import { isBlank } from '../../../page/values/truth.ts'
import { compareWithOptions, days, type OrderTests, valueMoment } from './moments.ts'
import { NO_PROBLEMS, type Validator, problemOf } from './validator.ts'

const ORDERS: OrderTests = {
  is_at: (order) => order === 0,
  before: (order) => order < 0,
  after: (order) => order > 0,
  on_or_before: (order) => order <= 0,
  on_or_after: (order) => order >= 0,
}

export const date: Validator = {
  description: 'The value must be a date, optionally before or after another date. Blank values are valid.',
  options: {
    is_at: { takes: 'date', description: 'The date that the value must equal.' },
    before: { takes: 'date', description: 'The value must be before this date.' },
    after: { takes: 'date', description: 'The value must be after this date.' },
    on_or_before: { takes: 'date', description: 'The value must be this date or an earlier one.' },
    on_or_after: { takes: 'date', description: 'The value must be this date or a later one.' },
  },
  check(value, check) {
    if (isBlank(value)) return NO_PROBLEMS
    const moment = valueMoment(value)
    return moment === null ? problemOf('invalid') : compareWithOptions(moment, ORDERS, days, 'Date', check)
  },
}
