/** Patches the open page to a new answer of the server. What the visitor and scripts have changed stays. */
import { Idiomorph } from 'idiomorph'
import { alignChildren } from './align.mjs'
import { isSameText, isServed, remember, servedAttribute, updateAttributes } from './served.mjs'
import { isStylesheet, replaceStylesheet, whenLoaded } from './stylesheets.mjs'

/** Elements that are left alone inside. */
const KEPT = 'data-ingot-keep'

/** @type {readonly string[]} */
let scripts = []

/** Remembers the page as the server sent it. @param {Element} own the element of this script */
export function rememberPage(own) {
  remember(document)
  scripts = scriptsIn(document, own)
}

/**
 * Patches the page. Returns false when it must be loaded again, because its scripts differ.
 * @param {Document} next
 * @param {Element} own the element of this script
 * @returns {Promise<boolean>}
 */
export async function patchPage(next, own) {
  const nextOwn = next.querySelector(`script[src^="/_ingot/live.js"]`)
  if (scriptsIn(next, nextOwn).join('\n') !== scripts.join('\n')) return false
  nextOwn?.remove()
  // Without scripting, the parser has read the content of `noscript` as elements.
  for (const element of next.querySelectorAll('noscript')) element.textContent = element.innerHTML
  const isReady = patchHead(next)
  if (isReady !== null) await isReady
  updateAttributes(document.documentElement, next.documentElement)
  alignChildren(document.body, next.body, isPatchedInside, own)
  Idiomorph.morph(document.body, next.body, {
    morphStyle: 'outerHTML',
    head: { style: 'none' },
    callbacks: {
      beforeNodeMorphed: (shown, node) => beforeMorph(shown, node, own),
      // `updateAttributes` has set them. So the text that the visitor typed stays.
      beforeAttributeUpdated: () => false,
      beforeNodeRemoved: (node) => node !== own && isServed(node),
      afterNodeAdded: (node) => remember(node),
    },
  })
  return true
}

/**
 * Returns whether a node and what it contains is patched.
 * @param {Node} shown
 * @param {Node} next
 * @param {Element} own
 */
function beforeMorph(shown, next, own) {
  if (shown instanceof CharacterData) return !(next instanceof CharacterData && isSameText(shown, next))
  if (!(shown instanceof Element) || !isElement(next)) return true
  if (shown === own) return false
  if (isStylesheet(shown) && shown.getAttribute('href') !== next.getAttribute('href')) {
    void updateStylesheet(shown, next)
    return false
  }
  updateAttributes(shown, next)
  return isPatchedInside(shown)
}

/** @param {Element} element */
function isPatchedInside(element) {
  return !element.localName.includes('-') && !element.hasAttribute(KEPT)
}

/** Returns whether a node of another document is an element. @param {Node} node @returns {node is Element} */
function isElement(node) {
  return node.nodeType === Node.ELEMENT_NODE
}

/**
 * Updates a link to a stylesheet. An address that only this script has changed stays.
 * @param {HTMLLinkElement} link
 * @param {Element} next
 * @returns {Promise<void>} resolves when the stylesheet applies
 */
function updateStylesheet(link, next) {
  const href = next.getAttribute('href') ?? ''
  const isUnchanged = servedAttribute(link, 'href') === href
  updateAttributes(link, next, 'href')
  return isUnchanged ? Promise.resolve() : replaceStylesheet(link, href)
}

/**
 * Patches the head. Returns a promise when new stylesheets must load before the body uses them.
 * @param {Document} next
 * @returns {Promise<unknown> | null}
 */
function patchHead(next) {
  /** @type {Map<string, Element[]>} */
  const known = new Map()
  for (const element of document.head.children) {
    if (!isServed(element)) continue
    const key = headKey(element)
    known.set(key, [...(known.get(key) ?? []), element])
  }
  /** @type {Promise<void>[]} */
  const loads = []
  /** @type {Element | null} */
  let previous = null
  for (const element of next.head.children) {
    const shown = known.get(headKey(element))?.shift()
    if (shown !== undefined) {
      if (isStylesheet(shown)) loads.push(updateStylesheet(shown, element))
      else if (!(shown instanceof HTMLScriptElement)) {
        updateAttributes(shown, element)
        if (shown.textContent !== element.textContent) shown.textContent = element.textContent
      }
      previous = shown
      continue
    }
    const added = document.importNode(element, true)
    remember(added)
    if (isStylesheet(added)) loads.push(whenLoaded(added))
    if (previous === null) document.head.prepend(added)
    else previous.after(added)
    previous = added
  }
  const removed = [...known.values()].flat()
  const finish = () => {
    for (const element of removed) element.remove()
  }
  if (loads.length === 0) return finish() ?? null
  return Promise.all(loads).then(finish)
}

/** Returns what identifies an element of a head in two answers. @param {Element} element */
function headKey(element) {
  const { localName } = element
  const read = (/** @type {string} */ name) => servedAttribute(element, name) ?? element.getAttribute(name) ?? ''
  if (localName === 'link') return `link ${read('rel')} ${read('href').replace(/\?.*/, '')} ${read('media')}`
  if (localName === 'meta')
    return `meta ${['name', 'property', 'http-equiv', 'charset', 'media', 'itemprop'].map(read).join(' ')}`
  return `${localName} ${read('id')}`
}

/**
 * Returns what identifies the scripts of a page.
 * @param {Document} page
 * @param {Element | null} own
 * @returns {readonly string[]}
 */
function scriptsIn(page, own) {
  return [...page.scripts]
    .filter((script) => script !== own && (page !== document || isServed(script)) && isCode(script))
    .map((script) => `${script.type} ${script.getAttribute('src') ?? ''} ${script.textContent}`)
}

/** Data in a script element does not run. @param {HTMLScriptElement} script */
function isCode({ type }) {
  return type === '' || type === 'module' || type === 'importmap' || /(?:java|ecma)script$/i.test(type)
}
