/** `format`: a text that matches a regular expression (`with`), or does not match it (`without`). */
import { str } from '../../../page/values/text.ts'
import { booleanOption, option, invalidOption } from './options.ts'
import { patternOf } from './pattern.ts'
import { type Check, NO_PROBLEMS, type Validator, problemOf } from './validator.ts'

export const format: Validator = {
  says: 'The text must fit a regular expression of Ruby, or must not.',
  options: {
    with: {
      takes: 'regex',
      says: 'What the text must match: begin it with `\\A` and end it with `\\z` for the whole text.',
    },
    without: { takes: 'regex', says: 'What the text must not match.' },
    multiline: {
      takes: 'boolean',
      says: 'Whether `^` and `$` are the ends of each line, in place of the ends of the whole text.',
    },
  },
  async check(value, at) {
    const text = str(value)
    if ((await matches(text, 'with', at)) === false) return problemOf('invalid')
    return (await matches(text, 'without', at)) === true ? problemOf('invalid') : NO_PROBLEMS
  },
}

/** Null when the option is missing. */
async function matches(text: string, name: 'with' | 'without', at: Check): Promise<boolean | null> {
  const source = option(at, name)
  if (source === null || source === '') return null
  const pattern = await patternOf(str(source), booleanOption(at, 'multiline', false))
  if (pattern === null) throw invalidOption(at, name, 'a regular expression')
  return pattern(text)
}
