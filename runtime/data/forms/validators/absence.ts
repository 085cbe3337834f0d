/** `absence`: the value is blank. */
import { isBlank } from '../../../page/values/truth.ts'
import { PASSED, type Validator, wrong } from './validator.ts'

export const absence: Validator = {
  says: 'The field must be left blank.',
  options: {},
  check: (value) => (isBlank(value) ? PASSED : wrong('present')),
}
