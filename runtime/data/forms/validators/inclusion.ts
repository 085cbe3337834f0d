/** `inclusion`: in a list. For a list value, each element must be. */
import { isAmong } from './among.ts'
import { NO_PROBLEMS, type Validator, problemOf } from './validator.ts'

export const inclusion: Validator = {
  description: 'The value must be in a list. For a list value, each element must be in it.',
  options: {
    in: { takes: 'list', description: 'The values that are accepted, or a range of numbers.' },
  },
  check: (value, check) => (isAmong(value, check).every(Boolean) ? NO_PROBLEMS : problemOf('inclusion')),
}
