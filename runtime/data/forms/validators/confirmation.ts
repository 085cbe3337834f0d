/** `confirmation`: `<field>_confirmation` is equal. It is not compared when it was not sent. */
import { str } from '../../../page/values/text.ts'
import { NO_PROBLEMS, type Validator } from './validator.ts'

export const confirmation: Validator = {
  description:
    'A second field, named `<field>_confirmation`, must have the same value. The form must list it among its fields; the error is added to it.',
  options: {},
  check(value, check) {
    const name = `${check.field.name}_confirmation`
    const second = check.valueOfSibling(name)
    if (second === null || second === undefined || str(second) === str(value)) return NO_PROBLEMS
    return [{ key: 'confirmation', at: `${check.prefix}${name}` }]
  },
}
