/** `inclusion`: the value is in a list. If the value is a list, each of its elements must be in the list. */
import { isAmong } from './among.ts'
import { NO_PROBLEMS, type Validator, problemOf } from './validator.ts'

export const inclusion: Validator = {
  description: 'The value must be in a list. If the value is itself a list, each of its elements must be in the list.',
  options: {
    in: { takes: 'list', description: 'The values that are accepted, or a range of numbers.' },
  },
  check: (value, check) => (isAmong(value, check).every(Boolean) ? NO_PROBLEMS : problemOf('inclusion')),
}
