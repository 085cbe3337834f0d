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
  says: 'The value must be a day, and may be bound to lie before or after another; blank will do.',
  options: {
    is_at: { takes: 'date', says: 'The day that it must be.' },
    before: { takes: 'date', says: 'It must be earlier than this day.' },
    after: { takes: 'date', says: 'It must be later than this day.' },
    on_or_before: { takes: 'date', says: 'It must be this day or an earlier one.' },
    on_or_after: { takes: 'date', says: 'It must be this day or a later one.' },
  },
  check(value, at) {
    if (isBlank(value)) return NO_PROBLEMS
    const moment = valueMoment(value)
    return moment === null ? problemOf('invalid') : compareWithOptions(moment, ORDERS, days, 'Date', at)
  },
}
