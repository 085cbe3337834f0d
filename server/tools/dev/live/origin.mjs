/** Finds the template that printed an element, in a second answer of the server with marks. */
import { isServed } from './served.mjs'

const BEGIN = /^ingot-begin (.+)$/
const LINE = /^ingot-line (\d+)$/

/** Returns the closest element that the server sent. @param {Element} element @returns {Element} */
export function servedElement(element) {
  if (isServed(element) || element.parentElement === null) return element
  return servedElement(element.parentElement)
}

/**
 * Returns the template that printed an element, and the line; null when it is not found.
 * @param {Element} element an element of the open page that the server sent
 * @param {Document} marked the same page with marks
 * @param {Element} own the element of this script, which the marked page lacks
 * @returns {import('./requests.mjs').Place | null}
 */
export function templateOf(element, marked, own) {
  const target = elementAt(marked, pathOf(element, own))
  /** @type {{ file: string, line: number }[]} */
  const open = []
  const walker = marked.createTreeWalker(marked, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_COMMENT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node === target) return open.at(-1) ?? null
    if (!(node instanceof Comment)) continue
    const file = BEGIN.exec(node.data)?.[1]
    const line = LINE.exec(node.data)?.[1]
    const current = open.at(-1)
    if (line !== undefined && current !== undefined) current.line = Number(line)
    if (file !== undefined) open.push({ file, line: 1 })
    else if (node.data === 'ingot-end') open.pop()
  }
  return null
}

/**
 * Returns the positions of an element and its ancestors among the elements that the server sent, from the root.
 * @param {Element} element
 * @param {Element} own
 * @returns {readonly number[]}
 */
function pathOf(element, own) {
  const parent = element.parentElement
  if (parent === null) return []
  const siblings = [...parent.children].filter((each) => isServed(each) && each !== own)
  return [...pathOf(parent, own), siblings.indexOf(element)]
}

/**
 * Returns the element at a path, or the last one that exists on the way.
 * @param {Document} page
 * @param {readonly number[]} path
 */
function elementAt(page, path) {
  /** @type {Element} */
  let element = page.documentElement
  for (const at of path) {
    const child = element.children[at]
    if (child === undefined) break
    element = child
  }
  return element
}
