/** Replaces stylesheets without a moment in which the page has none of them. */
import { inherit } from './served.mjs'

/** Maximum milliseconds to wait for a stylesheet. */
const LOAD_TIMEOUT = 2_000

/** For a link that is being loaded: the links that it replaces. @type {WeakMap<HTMLLinkElement, readonly HTMLLinkElement[]>} */
const replaced = new WeakMap()
/** For a replaced link: the link that replaces it. @type {WeakMap<HTMLLinkElement, HTMLLinkElement>} */
const successors = new WeakMap()

/** @param {Element} element @returns {element is HTMLLinkElement} */
export function isStylesheet(element) {
  return element instanceof HTMLLinkElement && element.relList.contains('stylesheet')
}

/**
 * Loads a stylesheet from another URL, and removes the old one when it applies.
 * @param {HTMLLinkElement} link
 * @param {string} href
 * @returns {Promise<void>} resolves when the new stylesheet applies
 */
export function replaceStylesheet(link, href) {
  const newest = successors.get(link)
  // It is being replaced already.
  if (newest !== undefined) return replaceStylesheet(newest, href)
  if (link.getAttribute('href') === href) return Promise.resolve()
  const next = document.createElement('link')
  for (const { name, value } of link.attributes) next.setAttribute(name, value)
  next.setAttribute('href', href)
  inherit(next, link)
  replaced.set(next, [...(replaced.get(link) ?? []), link])
  successors.set(link, next)
  const loaded = whenLoaded(next).then(() => {
    for (const each of replaced.get(next) ?? []) each.remove()
    replaced.delete(next)
  })
  link.after(next)
  return loaded
}

/** Resolves when a stylesheet has loaded or failed. @param {HTMLLinkElement} link @returns {Promise<void>} */
export function whenLoaded(link) {
  return new Promise((done) => {
    const end = () => done()
    link.addEventListener('load', end, { once: true })
    link.addEventListener('error', end, { once: true })
    setTimeout(end, LOAD_TIMEOUT)
  })
}
