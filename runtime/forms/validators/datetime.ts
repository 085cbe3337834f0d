/** `datetime`: a time, and which times it stands between. */
import { isBlank } from '../../values/truth.ts'
import { compared, millis, type Orders, valueMoment } from './moments.ts'
import { PASSED, type Validator, wrong } from './validator.ts'

const ORDERS: Orders = {
  at: (order) => order === 0,
  before: (order) => order < 0,
  after: (order) => order > 0,
  at_or_before: (order) => order <= 0,
  at_or_after: (order) => order >= 0,
}

export const datetime: Validator = {
  options: { at: 'date', before: 'date', after: 'date', at_or_before: 'date', at_or_after: 'date' },
  check(value, at) {
    if (isBlank(value)) return PASSED
    const moment = valueMoment(value)
    return moment === null ? wrong('invalid') : compared(moment, ORDERS, millis, 'Datetime', at)
  },
}
