/** `unpassed-variable`: a `background` block reads a variable of the template around it, which is not passed. */
import { type Diagnostic, message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import { isBlock } from '../../../../core/model/unit.ts'
import type { Span } from '../../../../core/source/span.ts'
import type { Walk } from '../../walk/walk.ts'

/** Returns the diagnostic of an undefined name in a `background` block, if the template around the block sets it; null otherwise. */
export function unpassedOf({ siteTemplate }: Walk, name: string, span: Span): Diagnostic | null {
  const setter = new RegExp(`\\b(?:assign|capture|function|graphql|parse_json|for|tablerow)\\s+${name}\\b`)
  const isSetOutside = isBlock(siteTemplate.inner) && setter.test(siteTemplate.unit.file.text)
  return isSetOutside ? unpassedVariable(span, name) : null
}

export const unpassedVariable = message(
  'unpassed-variable',
  'warning',
  'UnpassedVariable',
  (name: string) => ({
    subject: { kind: 'variable', name },
    text: `${quote(name)} is nil here, because the block runs later in another process and the variable is not passed.`,
    hint: `Pass it: \`{% background ${name}: ${name} %}\`.`,
  }),
  {
    wrong: '{% assign note = context.params.note %}{{ note }}{% background %}{% log note %}{% endbackground %}',
    right:
      '{% assign note = context.params.note %}{{ note }}{% background note: note %}{% log note %}{% endbackground %}',
  },
)
