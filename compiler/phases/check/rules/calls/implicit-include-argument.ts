/** `implicit-include-argument`: a variable that an included partial reads and that neither the call passes nor the caller sets. */
import type { Span } from '../../../../core/source/span.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import { docParams, type TemplateInput } from '../../walk/facts.ts'
import { type Callee, isUnset, LOOP_NAMES, type PassedArguments } from '../../walk/known-call.ts'
import type { Walk } from '../../walk/walk.ts'

/** Reports a name that an included partial needs and that is nil. The call does not pass the name, and this file has not set it. */
export function checkImplicitArgument(
  walk: Walk,
  call: Span,
  { name: partial, unit }: Callee,
  { types }: PassedArguments,
  name: string,
  { required, alternatives, span }: TemplateInput,
): void {
  const hasAlternative = alternatives.some((other) => types.has(other) || walk.isSet(other))
  // A missing parameter of a documented partial is reported as such.
  const isDocumented = unit.template !== null && docParams(unit.template).length > 0
  if (!required || hasAlternative || isDocumented || LOOP_NAMES.has(name)) return
  if (isUnset(walk, name) && !walk.siteTemplate.outline.writes.has(name))
    walk.report(implicitIncludeArgument(call, partial, name, span))
}

export const implicitIncludeArgument = message(
  'implicit-include-argument',
  'info',
  'ImplicitIncludeArguments',
  (partial: string, name: string, read: Span) => ({
    subject: { kind: 'argument', name, of: partial },
    text: `The included partial ${quote(partial)} reads ${quote(name)}, but it is not set before this call.`,
    hint: `Pass it: \`${name}: …\`.`,
    related: [{ span: read, message: 'the variable is read here' }],
  }),
  {
    wrong: `{% include 'card' %}`,
    right: `{% assign title = 'x' %}{% include 'card' %}`,
    both: { 'app/views/partials/card.liquid': '{{ title }}' },
  },
)
