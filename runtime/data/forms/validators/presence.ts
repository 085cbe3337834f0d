/** `presence`: the value is not blank. */
import { isBlank } from '../../../page/values/truth.ts'
import { NO_PROBLEMS, type Validator, problemOf } from './validator.ts'

export const presence: Validator = {
  says: 'The field must be filled: neither nil, nor `false`, nor white space, nor an empty list or mapping.',
  options: {},
  check: (value) => (isBlank(value) ? problemOf('blank') : NO_PROBLEMS),
}
