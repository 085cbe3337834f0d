/** `presence`: the value is not blank. */
import { isBlank } from '../../../page/values/truth.ts'
import { NO_PROBLEMS, type Validator, problemOf } from './validator.ts'

export const presence: Validator = {
  description: 'The value must not be blank: not nil, `false`, white space, an empty list or an empty mapping.',
  options: {},
  check: (value) => (isBlank(value) ? problemOf('blank') : NO_PROBLEMS),
}
