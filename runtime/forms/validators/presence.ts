/** `presence`: something stands there. */
import { isBlank } from '../../values/truth.ts'
import { PASSED, type Validator, wrong } from './validator.ts'

export const presence: Validator = {
  options: {},
  check: (value) => (isBlank(value) ? wrong('blank') : PASSED),
}
