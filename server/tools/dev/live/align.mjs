/**
 * Prepares a patch: inserts the new nodes of a page and removes those that are gone, so that the nodes that stay are in the same places. The
 * library that patches the page then finds each of them where it is. By itself, it would take a line break between two elements for
 * another one, and replace the elements before it, with what was typed, opened or played in them.
 */
import { isServed, remember, servedAttributes, servedText } from './served.mjs'

/** Maximum number of pairs of nodes that are compared in one list of children. */
const MAX_PAIRS = 250_000
/** Likeness of two nodes. Nodes without likeness are not the same. */
const SAME = 10
const SAME_ID = 8
const SAME_TAG = 2
const SAME_ATTRIBUTES = 4
const SAME_CONTENT = 3

/**
 * Aligns the children of an element, and what is below them.
 * @param {Element} shown
 * @param {Element} next the same element in the new answer
 * @param {(element: Element) => boolean} isPatched whether what is in an element is patched
 * @param {Node} own a node that is in the shown page only
 */
export function alignChildren(shown, next, isPatched, own) {
  const ids = new Set(Array.from(document.querySelectorAll('[id]'), ({ id }) => id))
  const nextIds = new Set(Array.from(next.querySelectorAll('[id]'), ({ id }) => id))
  /** @type {WeakMap<Node, number>} */
  const prints = new WeakMap()
  const print = (/** @type {Node} */ node) => fingerprint(node, prints)
  /** Returns whether an element has an id that is in the other page too, perhaps elsewhere. @param {Node} node @param {ReadonlySet<string>} others */
  const hasIdIn = (node, others) =>
    node instanceof Element || node.nodeType === Node.ELEMENT_NODE
      ? [node, .../** @type {Element} */ (node).querySelectorAll('[id]')].some((each) =>
          others.has(/** @type {Element} */ (each).id),
        )
      : false

  /** @param {Element} before @param {Element} after */
  function align(before, after) {
    const olds = [...before.childNodes].filter((node) => isServed(node) && node !== own && isContent(node))
    const news = [...after.childNodes].filter(isContent)
    const pairs = matched(olds, news, print)
    if (pairs === null) return
    const partners = new Map(pairs.map(([old, node]) => [node, old]))
    const kept = new Set(partners.values())
    for (const old of olds) if (!kept.has(old) && !hasIdIn(old, nextIds)) old.remove()
    /** @type {Node | null} */
    let previous = null
    for (const node of news) {
      const partner = partners.get(node)
      if (partner === undefined && hasIdIn(node, ids)) continue
      const current = partner ?? document.importNode(node, true)
      if (partner === undefined) {
        remember(current)
        before.insertBefore(current, previous === null ? before.firstChild : previous.nextSibling)
      }
      previous = current
    }
    for (const [old, node] of pairs) {
      if (!(old instanceof Element) || print(old) === print(node) || !isPatched(old)) continue
      align(old, /** @type {Element} only equal kinds of nodes are paired */ (node))
    }
  }

  align(shown, next)
}

/** @param {Node} node */
function isContent({ nodeType }) {
  return nodeType === Node.ELEMENT_NODE || nodeType === Node.TEXT_NODE || nodeType === Node.COMMENT_NODE
}

/**
 * Returns the pairs of nodes that are most alike together, in their order; null when there are too many.
 * @param {readonly Node[]} olds
 * @param {readonly Node[]} news
 * @param {(node: Node) => number} print
 * @returns {readonly (readonly [Node, Node])[] | null}
 */
function matched(olds, news, print) {
  /** @type {[Node, Node][]} */
  const pairs = []
  let start = 0
  let oldEnd = olds.length
  let newEnd = news.length
  const isSame = (/** @type {number} */ a, /** @type {number} */ b) => {
    const [old, node] = [olds[a], news[b]]
    return old !== undefined && node !== undefined && print(old) === print(node)
  }
  /** @param {number} a @param {number} b */
  const pair = (a, b) => {
    const [old, node] = [olds[a], news[b]]
    if (old !== undefined && node !== undefined) pairs.push([old, node])
  }
  while (start < oldEnd && start < newEnd && isSame(start, start)) pair(start, start++)
  while (oldEnd > start && newEnd > start && isSame(oldEnd - 1, newEnd - 1)) pair(--oldEnd, --newEnd)
  const width = newEnd - start + 1
  if ((oldEnd - start + 1) * width > MAX_PAIRS) return null
  const best = new Float64Array((oldEnd - start + 1) * width)
  const at = (/** @type {number} */ a, /** @type {number} */ b) => best[(a - start) * width + b - start] ?? 0
  const likenessAt = (/** @type {number} */ a, /** @type {number} */ b) => {
    const [old, node] = [olds[a], news[b]]
    return old === undefined || node === undefined ? 0 : likeness(old, node, print)
  }
  for (let a = oldEnd - 1; a >= start; a--) {
    for (let b = newEnd - 1; b >= start; b--) {
      const value = likenessAt(a, b)
      const together = value === 0 ? 0 : value + at(a + 1, b + 1)
      best[(a - start) * width + b - start] = Math.max(together, at(a + 1, b), at(a, b + 1))
    }
  }
  for (let a = start, b = start; a < oldEnd && b < newEnd; ) {
    const value = likenessAt(a, b)
    if (value > 0 && at(a, b) === value + at(a + 1, b + 1)) pair(a++, b++)
    else if (at(a, b) === at(a + 1, b)) a++
    else b++
  }
  return pairs
}

/** @param {Node} old @param {Node} node @param {(node: Node) => number} print */
function likeness(old, node, print) {
  if (old.nodeType !== node.nodeType || old.nodeName !== node.nodeName) return 0
  const isSame = print(old) === print(node)
  if (!(old instanceof Element)) return isSame && (node.nodeValue ?? '').trim() !== '' ? 2 : 1
  const [before, after] = [servedAttributes(old), servedAttributes(/** @type {Element} */ (node))]
  const id = before.get('id') ?? ''
  if (id !== (after.get('id') ?? '')) return 0
  if (isSame) return SAME
  if (id !== '') return SAME_ID
  const equal = [...before].filter(([name, value]) => after.get(name) === value).length
  const attributes = equal / Math.max(1, before.size, after.size)
  return SAME_TAG + SAME_ATTRIBUTES * attributes + SAME_CONTENT * commonContent(old, node, print)
}

/** Returns which part of what two elements contain is alike, from 0 to 1. Nodes with the same name count half. */
function commonContent(/** @type {Node} */ old, /** @type {Node} */ node, /** @type {(node: Node) => number} */ print) {
  const olds = [...old.childNodes]
  const news = [...node.childNodes]
  const prints = new Set(olds.map(print))
  const names = new Set(olds.map(({ nodeName }) => nodeName))
  let points = 0
  for (const each of news) points += prints.has(print(each)) ? 1 : names.has(each.nodeName) ? 0.5 : 0
  return points / Math.max(1, olds.length, news.length)
}

/**
 * Returns a number that is the same for nodes that the server sent in the same way.
 * @param {Node} node
 * @param {WeakMap<Node, number>} known
 * @returns {number}
 */
function fingerprint(node, known) {
  let print = known.get(node)
  if (print !== undefined) return print
  print = hash(node.nodeName, 17)
  if (node.nodeType === Node.ELEMENT_NODE) {
    const element = /** @type {Element} */ (node)
    const names = [...servedAttributes(element)].map(([name, value]) => `${name}=${value}`).sort()
    for (const each of names) print = hash(each, print)
    const content = element instanceof HTMLTemplateElement ? element.content : element
    for (const child of content.childNodes)
      if (node.ownerDocument !== document || isServed(child)) print = hash(String(fingerprint(child, known)), print)
  } else print = hash(servedText(node), print)
  known.set(node, print)
  return print
}

/** @param {string} text @param {number} start */
function hash(text, start) {
  let value = start
  for (let at = 0; at < text.length; at++) value = (Math.imul(value, 31) + text.charCodeAt(at)) | 0
  return Math.imul(value ^ (value >>> 15), 0x2c1b3c6d)
}
