/** Tracks which elements the parts of a template open and close, in all of its branches or only in some. */
import type { Span } from '../../../core/source/span.ts'

/** An element that is not closed in some branch, or an end tag without its start tag. */
export interface UnbalancedElement {
  readonly element: string
  readonly missingTag: 'end' | 'start'
  readonly span: Span
}

export interface OpenElement {
  readonly name: string
  readonly span: Span
}

/** The elements that a part of a template leaves open, and those that it closes without opening. */
export interface ElementBalance {
  readonly stack: OpenElement[]
  /** End tags without a start tag. */
  readonly unmatchedEnds: OpenElement[]
  /** End tags that close an outer element while an inner one is open: they may be meant for the inner one. */
  readonly earlyEnds: OpenElement[]
  /** Elements that were open when an outer element was closed, with the end tag of the outer one. */
  readonly crossed: { readonly left: OpenElement; readonly by: OpenElement }[]
  /** Elements that are left open in some branches only. */
  readonly sometimesOpen: OpenElement[]
  /** End tags without a start tag in some branches only. */
  readonly sometimesClosed: OpenElement[]
}

/** Returns the indentation of a tag; null if the tag is not the first thing on its line. */
export type IndentOf = (tag: OpenElement) => number | null

export function newBalance(): ElementBalance {
  return { stack: [], unmatchedEnds: [], earlyEnds: [], crossed: [], sometimesOpen: [], sometimesClosed: [] }
}

/** Closes the element of an end tag. With `indentOf`, an element with the same indentation as the end tag takes precedence. */
export function closeElement(balance: ElementBalance, tag: OpenElement, indentOf: IndentOf | null = null): void {
  const isSame = (each: OpenElement) => each.name === tag.name
  const indent = indentOf?.(tag) ?? null
  const indentedIndex =
    indent === null ? -1 : balance.stack.findLastIndex((each) => isSame(each) && indentOf?.(each) === indent)
  const at = indentedIndex < 0 ? balance.stack.findLastIndex(isSame) : indentedIndex
  if (at < 0) {
    // Two end tags are in the wrong order. The earlier one is reported.
    const crossedIndex = balance.crossed.findLastIndex(({ left }) => left.name === tag.name)
    const [crossed] = crossedIndex < 0 ? [] : balance.crossed.splice(crossedIndex, 1)
    if (crossed !== undefined) {
      balance.unmatchedEnds.push(crossed.by)
      return
    }
    const earlyIndex = balance.earlyEnds.findLastIndex((each) => each.name === tag.name)
    balance.unmatchedEnds.push((earlyIndex < 0 ? undefined : balance.earlyEnds.splice(earlyIndex, 1)[0]) ?? tag)
    return
  }
  if (at < balance.stack.length - 1) balance.earlyEnds.push(tag)
  // The elements above the closed one on the stack have no end tag: the browser closes them here.
  for (const left of balance.stack.splice(at).slice(1)) {
    balance.sometimesOpen.push(left)
    balance.crossed.push({ left, by: tag })
  }
}

function namesOf(tags: readonly OpenElement[]): string {
  return tags.map((each) => each.name).join(' ')
}

/** Merges the balances of a block's branches into the outer balance. `isExhaustive`: one of the branches always runs. */
export function mergeBranches(outer: ElementBalance, balances: readonly ElementBalance[], isExhaustive: boolean): void {
  const [first] = balances
  for (const balance of balances) {
    outer.sometimesOpen.push(...balance.sometimesOpen)
    outer.sometimesClosed.push(...balance.sometimesClosed)
  }
  if (first === undefined) return
  const areAlike = balances.every(
    (balance) =>
      namesOf(balance.stack) === namesOf(first.stack) &&
      namesOf(balance.unmatchedEnds) === namesOf(first.unmatchedEnds),
  )
  if (areAlike && isExhaustive) {
    for (const tag of first.unmatchedEnds) closeElement(outer, tag)
    outer.stack.push(...first.stack)
    return
  }
  for (const balance of balances) {
    // `</div><div>` closes an element and opens another of the same name.
    if (namesOf(balance.stack) === namesOf([...balance.unmatchedEnds].reverse())) continue
    outer.sometimesOpen.push(...balance.stack)
    outer.sometimesClosed.push(...balance.unmatchedEnds)
  }
}

/** Returns the unbalanced elements of a template. */
export function unbalancedOf(balance: ElementBalance): readonly UnbalancedElement[] {
  const opened = [...balance.stack, ...balance.sometimesOpen]
  const closed = [...balance.unmatchedEnds, ...balance.sometimesClosed]
  // An element that one branch opens and another branch closes is not reported.
  const openedNames = new Set(opened.map((each) => each.name))
  const closedNames = new Set(closed.map((each) => each.name))
  return [
    ...opened
      .filter(({ name }) => !closedNames.has(name))
      .map(({ name, span }): UnbalancedElement => ({ element: name, missingTag: 'end', span })),
    ...closed
      .filter(({ name }) => !openedNames.has(name))
      .map(({ name, span }): UnbalancedElement => ({ element: name, missingTag: 'start', span })),
  ]
}
