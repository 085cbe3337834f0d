/** `format`: a text that matches a regular expression (`with`), or does not match it (`without`). */
import { str } from '../../../page/values/text.ts'
import { booleanOption, option, invalidOption } from './options.ts'
import { patternOf } from './pattern.ts'
import { type Check, NO_PROBLEMS, type Validator, problemOf } from './validator.ts'

export const format: Validator = {
  description: 'The text must match, or must not match, a regular expression in the syntax of Ruby.',
  options: {
    with: {
      takes: 'regex',
      description:
        'The pattern that the text must match. To match the complete text, start it with `\\A` and end it with `\\z`.',
    },
    without: { takes: 'regex', description: 'The pattern that the text must not match.' },
    multiline: {
      takes: 'boolean',
      description: 'Whether `^` and `$` match at the ends of each line instead of the ends of the text.',
    },
  },
  async check(value, check) {
    const text = str(value)
    if ((await matches(text, 'with', check)) === false) return problemOf('invalid')
    return (await matches(text, 'without', check)) === true ? problemOf('invalid') : NO_PROBLEMS
  },
}

/** Returns whether the text matches the pattern in an option; null when the option is missing. */
async function matches(text: string, name: 'with' | 'without', check: Check): Promise<boolean | null> {
  const source = option(check, name)
  if (source === null || source === '') return null
  const pattern = await patternOf(str(source), booleanOption(check, 'multiline', false))
  if (pattern === null) throw invalidOption(check, name, 'a regular expression')
  return pattern(text)
}
