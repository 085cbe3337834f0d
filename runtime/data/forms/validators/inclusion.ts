/** `inclusion`: the value is in a list. If the value is a list, each of its elements must be in the list. */
import { isAmong } from './among.ts'
import { NO_PROBLEMS, type Validator, problemOf } from './validator.ts'

export const inclusion: Validator = {
  says: 'The value must be in a list. If the value is itself a list, each of its elements must be in the list.',
  options: {
    in: { takes: 'list', says: 'The values that are accepted, or a range of numbers.' },
  },
  check: (value, at) => (isAmong(value, at).every(Boolean) ? NO_PROBLEMS : problemOf('inclusion')),
}
