/** `unknown-inferred-argument`: an argument that a partial without `doc` never reads. */
import { REMOVE_ARGUMENT, suggestName } from '../../../../core/diagnostics/change.ts'
import { message, relatedAt } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import type { TemplateInput, UnitFacts } from '../../walk/facts.ts'
import { type KnownCall, spanOfArgument } from '../../walk/known-call.ts'
import type { Walk } from '../../walk/walk.ts'

/** Returns the arguments of a call that a partial never reads. */
export function unreadArguments({ passed }: KnownCall, { readsAll, inputs }: UnitFacts): readonly string[] {
  return readsAll ? [] : [...passed.values.keys()].filter((key) => !inputs.has(key) && key !== 'context')
}

/** Reports unread arguments, except `misspelled` ones, which are reported as missing names. */
export function reportUnreadArguments(
  walk: Walk,
  known: KnownCall,
  { inputs }: UnitFacts,
  unread: readonly string[],
  misspelled: ReadonlySet<string>,
): void {
  const { name, passed } = known
  const unpassed = new Map([...inputs].filter(([key]) => !passed.types.has(key)))
  for (const key of unread) {
    if (misspelled.has(key)) continue
    const diagnostic = unknownInferredArgument(spanOfArgument(known, key), name, key, unpassed)
    // An unknown argument that is nil has no effect.
    walk.report(passed.types.get(key)?.kind === 'nil' ? { ...diagnostic, severity: 'info' } : diagnostic)
  }
}

export const unknownInferredArgument = message(
  'unknown-inferred-argument',
  'warning',
  'PartialCallArguments',
  /** `known`: the names that may be meant. */
  (partial: string, name: string, known: ReadonlyMap<string, Pick<TemplateInput, 'span'>>) => {
    const suggestion = suggestName(name, known.keys())
    const read = known.get(suggestion?.meant ?? '')
    return {
      subject: { kind: 'argument', name, of: partial },
      text: `The partial ${quote(partial)} never reads ${quote(name)}.`,
      ...(suggestion ?? REMOVE_ARGUMENT),
      related: relatedAt(read?.span, `${quote(suggestion?.meant ?? '')} is read here`),
    }
  },
  {
    wrong: `{% render 'card', title: 'x', size: 2 %}`,
    right: `{% render 'card', title: 'x' %}`,
    both: { 'app/views/partials/card.liquid': '{{ title }}' },
  },
)
