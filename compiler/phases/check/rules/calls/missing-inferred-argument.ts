/** `missing-inferred-argument`: a variable that a partial without `doc` reads, but that the call does not pass. */
import { suggestName } from '../../../../core/diagnostics/change.ts'
import type { Span } from '../../../../core/source/span.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import { inContext } from '../../../../language/types/old-variables.ts'
import { optionalInComments } from '../../walk/comment-params.ts'
import { isMissing, type TemplateInput, type UnitFacts } from '../../walk/facts.ts'
import { type KnownCall, LOOP_NAMES, spanOfArgument } from '../../walk/known-call.ts'
import type { Walk } from '../../walk/walk.ts'

/** Returns the names that a partial needs and a call does not pass. An included partial also sees the variables of this file. */
export function missingInputs({ call, passed }: KnownCall, { inputs }: UnitFacts): ReadonlyMap<string, TemplateInput> {
  if (call.kind === 'include') return new Map()
  return new Map([...inputs].filter(([key, input]) => !LOOP_NAMES.has(key) && isMissing(key, input, passed.types)))
}

/** Reports missing names. `misspellings`: the unknown arguments that were meant, by the missing name. */
export function reportMissingInputs(
  walk: Walk,
  known: KnownCall,
  missing: ReadonlyMap<string, TemplateInput>,
  misspellings: ReadonlyMap<string, string>,
): void {
  for (const [key, { span, isNeeded }] of missing) {
    const misspelling = misspellings.get(key) ?? null
    // In base Liquid the data of the render may provide the name.
    const mayBeLeftOut = !walk.platform || optionalInComments(known.unit).has(key)
    if (misspelling === null && mayBeLeftOut) continue
    const place = spanOfArgument(known, misspelling)
    walk.report(missingInferredArgument(place, known.name, key, span, isNeeded, misspelling, inContext(key)))
  }
}

export const missingInferredArgument = message(
  'missing-inferred-argument',
  'warning',
  'PartialCallArguments',
  /**
   * `instead`: the misspelled name under which the call passes it. `suggestion`: the field of `context` with that name
   * (`context.params`).
   */
  (partial: string, name: string, read: Span, needed: boolean, instead: string | null, suggestion: string | null) => ({
    subject: { kind: 'argument', name, of: partial, written: instead },
    text: `The partial ${quote(partial)} ${needed ? 'cannot run a query without' : 'reads'} ${quote(name)}, but this call ${instead === null ? 'does not pass it' : `passes ${quote(instead)}`}.`,
    ...(instead !== null
      ? suggestName(instead, [name])
      : {
          hint: needed
            ? `Pass \`${name}\`.`
            : `Pass \`${name}\`, or read ${suggestion === null ? 'it with `default`' : quote(suggestion)} in the partial.`,
        }),
    related: [{ span: read, message: 'the argument is read here' }],
  }),
  {
    wrong: `{% render 'card' %}`,
    right: `{% render 'card', title: 'x' %}`,
    both: { 'app/views/partials/card.liquid': '{{ title }}' },
  },
)
