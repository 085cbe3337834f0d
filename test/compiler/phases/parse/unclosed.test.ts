/** The tag that is reported as never closed does not depend on what precedes the template's text in the file. */
import { expect, it } from 'vitest'
import { diagnose } from '../../../../compiler/compile.ts'
import { filesFromTexts } from '../../../../compiler/core/source/from-texts.ts'

const FRONT = "---\nlayout: ''\n---\n"
const BODY = `{% if context.params.a %}x
y
   {% if context.params.a %}
    y
    {% if context.params.a %}
      y
    {% endif %}
  {% endif %}
end
`

it('front matter moves the place by its lines only', () => {
  const reported = (text: string): readonly unknown[] =>
    diagnose(filesFromTexts({ 'app/views/pages/index.liquid': text }, false), {
      dialect: 'platform',
      syntax: 'lax',
      openEntries: false,
    }).map(({ code, span }) => [code, span.start])
  expect(reported(BODY)).toEqual([['unclosed-tag', 0]])
  expect(reported(FRONT + BODY)).toEqual([['unclosed-tag', FRONT.length]])
})
