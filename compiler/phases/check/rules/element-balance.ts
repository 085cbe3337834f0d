/** Which elements the parts of a template leave open and close: what its branches do alike, and what only some of them do. */
import type { Span } from '../../../core/source/span.ts'

/** An element that is not closed in some branch, or a closing tag without its element. */
export interface UnbalancedElement {
  readonly element: string
  readonly missing: 'end' | 'start'
  readonly span: Span
}

export interface OpenElement {
  readonly name: string
  readonly span: Span
}

/** The elements that a part of a template leaves open, and those that it closes without opening them. */
export interface ElementBalance {
  readonly stack: OpenElement[]
  readonly closes: OpenElement[]
  /** End tags that close an element around one that is open: they may be meant for that one. */
  readonly early: OpenElement[]
  /** Elements that were open when another one around them was closed, with its end tag. */
  readonly crossed: { readonly left: OpenElement; readonly by: OpenElement }[]
  /** The same in some branches only. */
  readonly sometimesOpen: OpenElement[]
  readonly sometimesClosed: OpenElement[]
}

/** By the place of a tag, how far its line is indented; null where other things stand before it. */
export type IndentOf = (tag: OpenElement) => number | null

export function newBalance(): ElementBalance {
  return { stack: [], closes: [], early: [], crossed: [], sometimesOpen: [], sometimesClosed: [] }
}

/** `indentOf`: where elements are known to lack an end, the one that an end tag closes is the one that begins as far in as it does. */
export function closeElement(balance: ElementBalance, tag: OpenElement, indentOf: IndentOf | null = null): void {
  const isSame = (each: OpenElement) => each.name === tag.name
  const indent = indentOf?.(tag) ?? null
  const level =
    indent === null ? -1 : balance.stack.findLastIndex((each) => isSame(each) && indentOf?.(each) === indent)
  const at = level < 0 ? balance.stack.findLastIndex(isSame) : level
  if (at < 0) {
    // Two ends in the wrong order: the one that came too early is reported.
    const crossing = balance.crossed.findLastIndex(({ left }) => left.name === tag.name)
    const [crossed] = crossing < 0 ? [] : balance.crossed.splice(crossing, 1)
    if (crossed !== undefined) {
      balance.closes.push(crossed.by)
      return
    }
    const early = balance.early.findLastIndex((each) => each.name === tag.name)
    balance.closes.push((early < 0 ? undefined : balance.early.splice(early, 1)[0]) ?? tag)
    return
  }
  if (at < balance.stack.length - 1) balance.early.push(tag)
  // Elements above it were never closed; the browser closes them here.
  for (const left of balance.stack.splice(at).slice(1)) {
    balance.sometimesOpen.push(left)
    balance.crossed.push({ left, by: tag })
  }
}

function namesOf(tags: readonly OpenElement[]): string {
  return tags.map((each) => each.name).join(' ')
}

/** Takes over what the branches of a block leave open or close: the same in all of them, or something in some. */
export function mergeBranches(outer: ElementBalance, balances: readonly ElementBalance[], exhaustive: boolean): void {
  const [first] = balances
  for (const balance of balances) {
    outer.sometimesOpen.push(...balance.sometimesOpen)
    outer.sometimesClosed.push(...balance.sometimesClosed)
  }
  if (first === undefined) return
  const alike = balances.every(
    (balance) => namesOf(balance.stack) === namesOf(first.stack) && namesOf(balance.closes) === namesOf(first.closes),
  )
  if (alike && exhaustive) {
    for (const tag of first.closes) closeElement(outer, tag)
    outer.stack.push(...first.stack)
    return
  }
  for (const balance of balances) {
    // `</div><div>` closes an element and opens another of the same name.
    if (namesOf(balance.stack) === namesOf([...balance.closes].reverse())) continue
    outer.sometimesOpen.push(...balance.stack)
    outer.sometimesClosed.push(...balance.closes)
  }
}

export function unbalancedOf(balance: ElementBalance): readonly UnbalancedElement[] {
  const opened = [...balance.stack, ...balance.sometimesOpen]
  const closed = [...balance.closes, ...balance.sometimesClosed]
  // An element that some branch opens and some branch closes is not reported.
  const opens = new Set(opened.map((each) => each.name))
  const closes = new Set(closed.map((each) => each.name))
  return [
    ...opened
      .filter(({ name }) => !closes.has(name))
      .map(({ name, span }): UnbalancedElement => ({ element: name, missing: 'end', span })),
    ...closed
      .filter(({ name }) => !opens.has(name))
      .map(({ name, span }): UnbalancedElement => ({ element: name, missing: 'start', span })),
  ]
}
