/** `include-could-be-render`: an `include` whose partial uses no variable of the caller. */
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import type { Span } from '../../../../core/source/span.ts'
import type { UnitFacts } from '../../walk/facts.ts'
import type { Walk } from '../../walk/walk.ts'

/**
 * Reports an include that works the same as a `render`: its partial sees and sets nothing of this file, and cannot end it.
 * @param name the name of the partial
 * @param unpassed the number of names that the partial reads and that the call does not pass
 */
export function checkCouldBeRender(walk: Walk, call: Span, name: string, facts: UnitFacts, unpassed: number): void {
  const { outline } = walk.siteTemplate
  const isIsolated =
    !facts.readsAll &&
    !facts.halts &&
    !facts.registers &&
    facts.returned === null &&
    unpassed === 0 &&
    ![...facts.writes].some((each) => walk.isSet(each) || outline.reads.has(each) || outline.writes.has(each))
  if (walk.platform && isIsolated) walk.report(includeCouldBeRender(call, name))
}

export const includeCouldBeRender = message(
  'include-could-be-render',
  'info',
  'WS39',
  (name: string) => ({
    subject: { kind: 'partial', name },
    text: `The partial ${quote(name)} uses no variables of this file, so \`render\` works too and is checked more strictly.`,
    change: { edits: [{ target: 'markup', part: 'include', text: 'render' }], safe: true },
  }),
  {
    wrong: `{% include 'icon', name: 'x' %}`,
    right: `{% render 'icon', name: 'x' %}`,
    both: { 'app/views/partials/icon.liquid': '{{ name }}' },
  },
)
