/** `unclosed-html`: an element that some path through the template opens without closing, or closes without opening. */
import type { Span } from '../../../../core/source/span.ts'
import { type Diagnostic, message, relatedAt } from '../../../../core/diagnostics/diagnostic.ts'
import type { FileBalance } from '../../site/markup.ts'
import type { UnbalancedElement } from '../../walk/element-balance.ts'
import { distance, findTypo } from '../../../../core/diagnostics/suggest.ts'

export const unclosedHtml = message(
  'unclosed-html',
  'warning',
  'UnclosedHTMLElement',
  /**
   * `opened`: the element that is open at a wrong end tag; for an element without an end tag, the end tag that was probably meant.
   * `isMisspelt`: whether the end tag is a misspelling of the open element.
   */
  (
    element: string,
    missing: 'end' | 'start',
    opened: { readonly element: string; readonly span: Span } | null = null,
    isMisspelt: boolean = false,
  ) => ({
    text:
      missing === 'end'
        ? `The element \`<${element}>\` is not closed on every path.`
        : `\`</${element}>\` closes an element that is not open on every path.`,
    hint:
      opened === null || (opened.element === element && missing === 'start')
        ? undefined
        : missing === 'end' && opened.element !== element
          ? `Did you mean \`<${opened.element}>\`?`
          : opened.element === element
            ? `To close the \`<${element}>\` before it, write \`</${element}>\`.`
            : isMisspelt
              ? `Did you mean \`</${opened.element}>\`?`
              : `Close the open element: \`</${opened.element}>\`.`,
    change:
      opened !== null && opened.element !== element && (missing === 'end' || isMisspelt)
        ? { edits: [{ part: element, text: opened.element }], safe: isMisspelt }
        : undefined,
    related: relatedAt(
      opened?.span,
      missing === 'end' && opened?.element !== element
        ? `\`</${opened?.element}>\` is here`
        : `\`<${opened?.element}>\` is opened here`,
    ),
  }),
  {
    wrong: '{% if context.params.a %}<div>{% endif %}',
    right: '{% if context.params.a %}<div></div>{% endif %}',
  },
)

/** Kinds of files whose HTML is not wrapped by another file. */
const STANDALONE: ReadonlySet<string> = new Set(['page', 'layout', 'form', 'email'])

/**
 * Reports HTML elements that a file leaves open, or closes without opening, when no other file has the matching tag.
 * @param isWhole whether all files that may call a partial are in `files`
 */
export function checkBalance(files: readonly FileBalance[], isWhole: boolean): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = []
  const partials = files.filter(({ file }) => file.kind === 'partial')
  for (const own of files) {
    const { kind } = own.file
    if (own.opaque || own.unbalanced.length === 0) continue
    if (!STANDALONE.has(kind) && kind !== 'partial') continue
    const others = (kind === 'partial' ? files : partials).filter((each) => each !== own)
    const unmatched = own.unbalanced.filter((each) => !others.some((other) => hasCounterpart(other, each)))
    // Unknown callers may wrap the partial. A misspelled or misplaced tag is wrong regardless of the caller.
    const mayBeWrapped = kind === 'partial' && !isWhole
    diagnostics.push(...reportUnbalanced(unmatched).filter(({ related }) => !mayBeWrapped || related.length > 0))
  }
  return diagnostics
}

/** Returns whether a file has the missing start or end tag of an element in another file. */
function hasCounterpart(
  { unbalanced, isLost, file }: FileBalance,
  { element, missingTag }: UnbalancedElement,
): boolean {
  if (isLost) return new RegExp(`</?${element}\\b`, 'i').test(file.text)
  return unbalanced.some((each) => each.element === element && each.missingTag !== missingTag)
}

/** The minimum length of a name for the tolerant comparison. */
const LONG_NAME = 5
/** The minimum length of a name for the comparison that allows one different letter. */
const SHORT_NAME = 3

/** HTML elements that have an end tag. */
const ELEMENTS: ReadonlySet<string> = new Set(
  [
    'a abbr address article aside audio b bdi bdo blockquote body button canvas caption cite code colgroup data datalist dd',
    'del details dfn dialog div dl dt em fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hgroup html i',
    'iframe ins kbd label legend li main map mark menu meter nav noscript object ol optgroup option output p picture pre',
    'progress q rp rt ruby s samp script search section select slot small span strong style sub summary sup svg table tbody',
    'td template textarea tfoot th thead time title tr u ul var video',
  ].flatMap((line) => line.split(' ')),
)

/** Returns which of two tags is a misspelling of the other one; null when they may be two different elements. */
function findMisspelt(opened: string, closed: string): 'start' | 'end' | null {
  // No two valid elements with long names have similar spellings.
  const isLong = closed.length >= LONG_NAME && findTypo(opened, [closed]) !== null
  const isShort = Math.max(opened.length, closed.length) >= SHORT_NAME && distance(opened, closed, 1) === 1
  if (!isLong && !isShort) return null
  if (ELEMENTS.has(opened) !== ELEMENTS.has(closed)) return ELEMENTS.has(opened) ? 'end' : 'start'
  return isLong ? 'start' : null
}

/** Creates the diagnostics. An unmatched end tag and the open element before it are reported as one mistake. */
function reportUnbalanced(unbalanced: readonly UnbalancedElement[]): readonly Diagnostic[] {
  const open = unbalanced.filter(({ missingTag }) => missingTag === 'end')
  const diagnostics: Diagnostic[] = []
  for (const { element, missingTag, span } of unbalanced) {
    if (missingTag === 'end') continue
    const at = open.findLastIndex((each) => each.span.start < span.start)
    const [opened] = at < 0 ? [] : open.splice(at, 1)
    const misspelt = opened === undefined ? null : findMisspelt(opened.element, element)
    if (opened !== undefined && misspelt === 'start')
      diagnostics.push(unclosedHtml(opened.span, opened.element, 'end', { element, span }))
    else diagnostics.push(unclosedHtml(span, element, missingTag, opened ?? null, misspelt === 'end'))
  }
  return [...reportOpen(open), ...diagnostics]
}

/** Reports open elements. A second start tag of the same name was probably meant as the end tag: both are one mistake. */
function reportOpen(open: readonly UnbalancedElement[]): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = []
  let isSecond = false
  for (const [at, { element, missingTag, span }] of open.entries()) {
    if (isSecond) {
      isSecond = false
      continue
    }
    const next = open[at + 1]
    const isPair = open.filter((each) => each.element === element).length === 2
    if (isPair && next?.element === element && next.span.start > span.start) {
      diagnostics.push(unclosedHtml(next.span, element, missingTag, { element, span }))
      isSecond = true
    } else diagnostics.push(unclosedHtml(span, element, missingTag, null))
  }
  return diagnostics
}
