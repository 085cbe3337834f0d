/** `inclusion`: one of a list. Each element of a list value must be one. */
import { among } from './among.ts'
import { PASSED, type Validator, wrong } from './validator.ts'

export const inclusion: Validator = {
  options: { in: 'list' },
  check: (value, at) => (among(value, at).every(Boolean) ? PASSED : wrong('inclusion')),
}
