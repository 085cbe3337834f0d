/** `date`: a day, and which days it stands between. */
import { isBlank } from '../../values/truth.ts'
import { compared, days, type Orders, valueMoment } from './moments.ts'
import { PASSED, type Validator, wrong } from './validator.ts'

const ORDERS: Orders = {
  is_at: (order) => order === 0,
  before: (order) => order < 0,
  after: (order) => order > 0,
  on_or_before: (order) => order <= 0,
  on_or_after: (order) => order >= 0,
}

export const date: Validator = {
  options: { is_at: 'date', before: 'date', after: 'date', on_or_before: 'date', on_or_after: 'date' },
  check(value, at) {
    if (isBlank(value)) return PASSED
    const moment = valueMoment(value)
    return moment === null ? wrong('invalid') : compared(moment, ORDERS, days, 'Date', at)
  },
}
