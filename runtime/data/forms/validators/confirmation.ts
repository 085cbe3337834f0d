/** `confirmation`: `<field>_confirmation` is equal. It is not compared when it was not sent. */
import { str } from '../../../page/values/text.ts'
import { NO_PROBLEMS, type Validator } from './validator.ts'

export const confirmation: Validator = {
  says: 'A second field, named `<field>_confirmation`, must have the same value. The form must list it among its fields; the error is added to it.',
  options: {},
  check(value, at) {
    const name = `${at.field.name}_confirmation`
    const second = at.valueOfSibling(name)
    if (second === null || second === undefined || str(second) === str(value)) return NO_PROBLEMS
    return [{ key: 'confirmation', at: `${at.prefix}${name}` }]
  },
}
