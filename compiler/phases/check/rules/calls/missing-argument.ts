/** `missing-argument`: a required parameter of a partial that the call does not pass. */
import { suggestName } from '../../../../core/diagnostics/change.ts'
import type { Span } from '../../../../core/source/span.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import type { DocParam } from '../../../../core/model/unit.ts'
import { isUnset, type KnownCall, spanOfArgument } from '../../walk/known-call.ts'
import type { Walk } from '../../walk/walk.ts'

/** Returns the required parameters that a call does not pass. An included partial also sees the variables of this file. */
export function missingParams(walk: Walk, { call, declared, passed }: KnownCall): readonly DocParam[] {
  return [...declared.values()].filter(
    ({ name, required }) => required && !passed.types.has(name) && (call.kind !== 'include' || isUnset(walk, name)),
  )
}

/** Reports missing parameters. `misspellings`: the unknown arguments that were meant, by the name of the parameter. */
export function reportMissingParams(
  walk: Walk,
  known: KnownCall,
  missing: readonly DocParam[],
  misspellings: ReadonlyMap<string, string>,
): void {
  for (const { name, span } of missing) {
    const misspelling = misspellings.get(name) ?? null
    walk.report(missingArgument(spanOfArgument(known, misspelling), known.name, name, span, misspelling))
  }
}

export const missingArgument = message(
  'missing-argument',
  'error',
  'MissingRenderPartialArguments',
  /** `instead`: the misspelled name under which the call passes it. */
  (partial: string, name: string, declarationSpan: Span, instead: string | null) => ({
    subject: { kind: 'argument', name, of: partial, written: instead },
    text: `The partial ${quote(partial)} needs ${quote(name)}, but this call ${instead === null ? 'does not pass it' : `passes ${quote(instead)}`}.`,
    ...(instead === null ? {} : suggestName(instead, [name])),
    related: [{ span: declarationSpan, message: 'the parameter is declared here' }],
  }),
  {
    wrong: `{% render 'card' %}`,
    right: `{% render 'card', title: 'x' %}`,
    both: {
      'app/views/partials/card.liquid': `{% doc %}
  @param {string} title - what it says
{% enddoc %}{{ title }}`,
    },
  },
)
