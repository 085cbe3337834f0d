/** `recursive-partial`: partials that call each other without a condition that ends the recursion. */
import { type Diagnostic, message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import type { CheckedSite } from '../../site/site-rule.ts'
import type { OutgoingCall, UnitFacts } from '../../walk/facts.ts'
import { namesOfPartials } from '../../site/reach.ts'
import { derived } from '../../../../core/model/derived.ts'

export const recursivePartial = message(
  'recursive-partial',
  'error',
  'WS11',
  (chain: Iterable<string>) => ({
    text: `These calls never end: ${[...chain].map(quote).join(' calls ')}.`,
    hint: 'Put one of the calls under a condition.',
  }),
  {
    wrong: { 'app/views/partials/b.liquid': `{% render 'a' %}` },
    right: { 'app/views/partials/b.liquid': 'x' },
    both: { 'app/views/pages/index.liquid': `{% render 'a' %}`, 'app/views/partials/a.liquid': `{% render 'b' %}` },
  },
)

/** Returns the calls of one known file that run each time that the template runs. */
const certainCalls = derived(({ calls }: UnitFacts) =>
  calls.filter((call) => call.certain && call.kind !== 'background' && call.targets?.length === 1 && !call.open),
)

/** Reports partials that call each other unconditionally. Each cycle is reported once, at its first call. */
export function checkRecursion({ site, factsOf }: CheckedSite): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = []
  const names = namesOfPartials(site)
  const callsIn = (file: string): readonly OutgoingCall[] => {
    const ownFacts = factsOf(file)
    return ownFacts === undefined ? [] : certainCalls(ownFacts)
  }
  const visitStates = new Map<string, 'open' | 'done'>()
  for (const start of names.keys()) {
    if (visitStates.has(start) || callsIn(start).length === 0) continue
    const path: { readonly file: string; readonly calls: readonly OutgoingCall[]; nextCall: number }[] = []
    const enter = (file: string) => {
      visitStates.set(file, 'open')
      path.push({ file, calls: callsIn(file), nextCall: 0 })
    }
    enter(start)
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const call = top.calls[top.nextCall++]
      const target = call?.targets?.[0]
      if (call === undefined || target === undefined) {
        visitStates.set(top.file, 'done')
        path.pop()
      } else if (visitStates.get(target) === 'open') {
        const cycleStart = path.findIndex((each) => each.file === target)
        const cycle = path.slice(cycleStart)
        const first = cycle[0]
        const firstCall = first?.calls[first.nextCall - 1]
        if (firstCall !== undefined)
          diagnostics.push(
            recursivePartial(firstCall.span, [
              ...cycle.map((each) => names.get(each.file) ?? each.file),
              names.get(target) ?? target,
            ]),
          )
      } else if (!visitStates.has(target)) enter(target)
    }
  }
  return diagnostics
}
