/** `exclusion`: none of a list. No element of a list value may be one. */
import { among } from './among.ts'
import { PASSED, type Validator, wrong } from './validator.ts'

export const exclusion: Validator = {
  options: { in: 'list' },
  check: (value, at) => (among(value, at).some(Boolean) ? wrong('exclusion') : PASSED),
}
