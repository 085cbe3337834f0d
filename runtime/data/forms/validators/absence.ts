/** `absence`: the value is blank. */
import { isBlank } from '../../../page/values/truth.ts'
import { NO_PROBLEMS, type Validator, problemOf } from './validator.ts'

export const absence: Validator = {
  description: 'The field must be left blank.',
  options: {},
  check: (value) => (isBlank(value) ? NO_PROBLEMS : problemOf('present')),
}
