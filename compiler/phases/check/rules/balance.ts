/** Elements of HTML that a file leaves open, or closes without opening them, where no other file makes up for it. */
import { unclosedHtml } from '../../../core/diagnostics/codes/html/unclosed-html.ts'
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import { distance, findTypo } from '../../../core/diagnostics/suggest.ts'
import type { SourceFile } from '../../../core/source/file.ts'
import type { UnbalancedElement } from './element-balance.ts'

/** Kinds of files that nothing else stands around. */
const WHOLE: ReadonlySet<string> = new Set(['page', 'layout', 'form', 'email'])

export interface FileBalance {
  readonly file: SourceFile
  readonly unbalanced: readonly UnbalancedElement[]
  /** The file's elements could not be followed to its end. */
  readonly lost: boolean
  /** It prints what is not there, and may well close or open something. */
  readonly opaque: boolean
}

/** `isWhole`: whether all files that may call a partial are here. */
export function checkBalance(files: readonly FileBalance[], isWhole: boolean): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = []
  const partials = files.filter(({ file }) => file.kind === 'partial')
  for (const own of files) {
    const { kind } = own.file
    if (own.opaque || own.unbalanced.length === 0) continue
    if (!WHOLE.has(kind) && kind !== 'partial') continue
    const others = (kind === 'partial' ? files : partials).filter((each) => each !== own)
    const left = own.unbalanced.filter((each) => !others.some((other) => makesUpFor(other, each)))
    // What others put around a partial is not known: an end tag that stands for another one is wrong all the same.
    const isCut = kind === 'partial' && !isWhole
    diagnostics.push(...reported(left).filter(({ related }) => !isCut || related.length > 0))
  }
  return diagnostics
}

/** Whether a file closes what another one opens, or opens what it closes. */
function makesUpFor({ unbalanced, lost, file }: FileBalance, { element, missing }: UnbalancedElement): boolean {
  if (lost) return new RegExp(`</?${element}\\b`, 'i').test(file.text)
  return unbalanced.some((each) => each.element === element && each.missing !== missing)
}

const LONG_NAME = 5
const SHORT_NAME = 3

/** The elements of HTML that have an end tag. */
const ELEMENTS: ReadonlySet<string> = new Set(
  [
    'a abbr address article aside audio b bdi bdo blockquote body button canvas caption cite code colgroup data datalist dd',
    'del details dfn dialog div dl dt em fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hgroup html i',
    'iframe ins kbd label legend li main map mark menu meter nav noscript object ol optgroup option output p picture pre',
    'progress q rp rt ruby s samp script search section select slot small span strong style sub summary sup svg table tbody',
    'td template textarea tfoot th thead time title tr u ul var video',
  ].flatMap((line) => line.split(' ')),
)

/** Which of two tags has the name of the other one in other letters; null where they may well be two elements. */
function misspeltOf(opened: string, closed: string): 'start' | 'end' | null {
  // No two elements with names as long as that are spelled nearly alike.
  const isLong = closed.length >= LONG_NAME && findTypo(opened, [closed]) !== null
  const isShort = Math.max(opened.length, closed.length) >= SHORT_NAME && distance(opened, closed, 1) === 1
  if (!isLong && !isShort) return null
  if (ELEMENTS.has(opened) !== ELEMENTS.has(closed)) return ELEMENTS.has(opened) ? 'end' : 'start'
  return isLong ? 'start' : null
}

/** An end tag and the element that is open before it are one slip. */
function reported(unbalanced: readonly UnbalancedElement[]): readonly Diagnostic[] {
  const open = unbalanced.filter(({ missing }) => missing === 'end')
  const diagnostics: Diagnostic[] = []
  for (const { element, missing, span } of unbalanced) {
    if (missing === 'end') continue
    const at = open.findLastIndex((each) => each.span.start < span.start)
    const [opened] = at < 0 ? [] : open.splice(at, 1)
    const misspelt = opened === undefined ? null : misspeltOf(opened.element, element)
    if (opened !== undefined && misspelt === 'start')
      diagnostics.push(unclosedHtml(opened.span, opened.element, 'end', { element, span }))
    else diagnostics.push(unclosedHtml(span, element, missing, opened ?? null, misspelt === 'end'))
  }
  return [...twiceOpen(open), ...diagnostics]
}

/** A start tag that follows one of its name was probably meant to be the end tag: both are one slip. */
function twiceOpen(open: readonly UnbalancedElement[]): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = []
  let isSecond = false
  for (const [at, { element, missing, span }] of open.entries()) {
    if (isSecond) {
      isSecond = false
      continue
    }
    const next = open[at + 1]
    const isPair = open.filter((each) => each.element === element).length === 2
    if (isPair && next?.element === element && next.span.start > span.start) {
      diagnostics.push(unclosedHtml(next.span, element, missing, { element, span }))
      isSecond = true
    } else diagnostics.push(unclosedHtml(span, element, missing, null))
  }
  return diagnostics
}
