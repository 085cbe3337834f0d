/** `unknown-inferred-argument`: an argument that a partial without `doc` never reads. */
import { suggestName } from '../../../../core/diagnostics/change.ts'
import { type Fix, message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import type { UnitFacts } from '../../walk/facts.ts'
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
  const unpassed = [...inputs.keys()].filter((key) => !passed.types.has(key))
  for (const key of unread) {
    if (misspelled.has(key)) continue
    const diagnostic = unknownInferredArgument(spanOfArgument(known, key), name, key, unpassed)
    // An unknown argument that is nil has no effect.
    walk.report(passed.types.get(key)?.kind === 'nil' ? { ...diagnostic, severity: 'info' } : diagnostic)
  }
}

const REMOVE_ARGUMENT: Fix = {
  hint: 'Remove the argument: it has no effect.',
  change: { edits: [{ target: 'argument', text: '' }] },
}

export const unknownInferredArgument = message(
  'unknown-inferred-argument',
  'warning',
  'PartialCallArguments',
  (partial: string, name: string, knownNames: Iterable<string>) => ({
    subject: { kind: 'argument', name, of: partial },
    text: `The partial ${quote(partial)} never reads ${quote(name)}.`,
    ...(suggestName(name, knownNames) ?? REMOVE_ARGUMENT),
  }),
  {
    wrong: {
      'app/views/pages/index.liquid': `{% render 'card', title: 'x', size: 2 %}`,
      'app/views/partials/card.liquid': '{{ title }}',
    },
    right: {
      'app/views/pages/index.liquid': `{% render 'card', title: 'x' %}`,
      'app/views/partials/card.liquid': '{{ title }}',
    },
  },
)
