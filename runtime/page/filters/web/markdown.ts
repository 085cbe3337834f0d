/** `markdown`: Markdown as HTML. */
import MarkdownIt from 'markdown-it'
import { MAX_TEXT, tooLong } from '../../values/value-limits.ts'
import { Safe, str } from '../../values/text.ts'
import { chargeText } from '../../values/meter.ts'
import type { Bool, Hash, List, NamedArguments, Textual, Value } from '../types.ts'
import { countSteps } from './markdown-steps.ts'
import { mergeRules, readRules, sanitizeMarkup } from './sanitize-markup.ts'

export const aliases = ['markdownify'] as const
export const dialect = 'platform'

/** HTML in Markdown is allowed here, because the allow-list removes what is not permitted. */
const converter = new MarkdownIt({ html: true })
const resetSteps = countSteps(converter)

/**
 * The Markdown as HTML, reduced to the allow-list. The options replace the list; `extra` is merged into it.
 * @throws ArgumentFault for invalid options
 * @throws LimitFault for a text that takes too many steps
 */
export function markdown(
  input: Textual,
  options: NamedArguments<{
    elements?: List
    attributes?: Hash
    protocols?: Hash
    add_attributes?: Hash
    remove_contents?: List
    allow_comments?: Bool
    [name: string]: Value
  }> = 'SANITIZE_DEFAULT',
  extra: NamedArguments<{ [name: string]: Value }> = null,
): Safe {
  const text = str(input)
  chargeText(64 * text.length)
  resetSteps(text)
  const html = converter.render(text)
  if (html.length > MAX_TEXT) throw tooLong()
  const extraRules = typeof extra === 'string' && extra.trim().startsWith('{') ? readRules(extra) : extra
  return new Safe(sanitizeMarkup(html, mergeRules(readRules(options), extraRules)))
}
