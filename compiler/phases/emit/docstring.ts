/** Converts the `doc` block of a template to the docstring of its function. */
import type { DocBlock } from '../../core/model/unit.ts'

/** Maximum length of a line of text, so that it fits into a line of code. */
const MAX_TEXT = 110

/** Returns the lines of the docstring: the description, and the parameters with their descriptions. */
export function docstring(doc: DocBlock | null): readonly string[] {
  if (doc === null) return []
  const description = doc.description === '' ? [] : doc.description.split('\n').flatMap((line) => wrap(line.trimEnd()))
  const params = doc.params
    .filter(({ description }) => description !== '')
    .flatMap(({ name, description }) => wrap(`@param ${name} - ${description.replaceAll('\n', ' ')}`))
  return description.length > 0 && params.length > 0 ? [...description, '', ...params] : [...description, ...params]
}

/** Breaks a long line between words. */
function wrap(text: string): readonly string[] {
  if (text.length <= MAX_TEXT) return [text]
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? ''
    if (line === '') lines[lines.length - 1] = word
    else if (line.length + word.length < MAX_TEXT) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines
}
