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
  says: 'The value must be a time, and may be bound to lie before or after another; blank will do.',
  options: {
    at: { takes: 'date', says: 'The moment that it must be.' },
    before: { takes: 'date', says: 'It must be earlier than this moment.' },
    after: { takes: 'date', says: 'It must be later than this moment.' },
    at_or_before: { takes: 'date', says: 'It must be this moment or an earlier one.' },
    at_or_after: { takes: 'date', says: 'It must be this moment or a later one.' },
  },
  check(value, at) {
    if (isBlank(value)) return NO_PROBLEMS
    const moment = valueMoment(value)
    return moment === null ? problemOf('invalid') : compareWithOptions(moment, ORDERS, millis, 'Datetime', at)
  },
}
