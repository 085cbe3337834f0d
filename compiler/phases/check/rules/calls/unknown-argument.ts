/** `unknown-argument`: an argument that the partial does not declare. */
import { REMOVE_ARGUMENT, suggestName } from '../../../../core/diagnostics/change.ts'
import { message, relatedAt } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import type { DocParam } from '../../../../core/model/unit.ts'
import type { KnownCall } from '../../walk/known-call.ts'
import type { Walk } from '../../walk/walk.ts'

/** Returns the arguments that a partial neither declares nor reads. */
export function undeclaredArguments({ facts, declared, passed }: KnownCall): readonly string[] {
  const isRead = (key: string) => facts === undefined || facts.readsAll || facts.inputs.has(key) || key === 'context'
  return [...passed.values.keys()].filter((key) => !declared.has(key) && !isRead(key))
}

/** Reports undeclared arguments, except `misspelled` ones, which are reported as missing parameters. */
export function reportUndeclaredArguments(
  walk: Walk,
  { name, declared, passed }: KnownCall,
  undeclared: readonly string[],
  misspelled: ReadonlySet<string>,
): void {
  const unpassed = [...declared.values()].filter((each) => !passed.types.has(each.name))
  const [first = null] = declared.values()
  for (const key of undeclared) {
    const argument = passed.values.get(key)
    if (argument !== undefined && !misspelled.has(key))
      walk.report(unknownArgument(argument.name, name, key, unpassed, first))
  }
}

export const unknownArgument = message(
  'unknown-argument',
  'warning',
  'UnrecognizedRenderPartialArguments',
  /** `known`: the parameters that may be meant. `first`: the first parameter of the partial. */
  (partial: string, name: string, known: readonly DocParam[], first: DocParam | null) => {
    const names = known.map((each) => each.name)
    const suggestion = suggestName(name, names)
    const place = known[names.indexOf(suggestion?.meant ?? '')] ?? first
    return {
      subject: { kind: 'argument', name, of: partial },
      text: `The partial ${quote(partial)} declares no parameter ${quote(name)}.`,
      ...(suggestion ?? REMOVE_ARGUMENT),
      related: relatedAt(place?.span, `${quote(place?.name ?? '')} is declared here`),
    }
  },
  {
    wrong: `{% render 'card', title: 'x', size: 2 %}`,
    right: `{% render 'card', title: 'x' %}`,
    both: {
      'app/views/partials/card.liquid': `{% doc %}
  @param {string} title - what it says
{% enddoc %}{{ title }}`,
    },
  },
)
