/**
 * Remembers what the server sent: the attributes of elements and the texts. What scripts and the visitor changed afterwards differs from it, and
 * stays when the page is patched.
 */

/** @type {WeakMap<Element, ReadonlyMap<string, string>>} */
const attributes = new WeakMap()
/** @type {WeakMap<CharacterData, string>} */
const texts = new WeakMap()

/** Remembers a node and everything below it. @param {Node} root */
export function remember(root) {
  const walker = document.createTreeWalker(root)
  /** @type {Node | null} */
  let node = root
  for (; node !== null; node = walker.nextNode()) {
    if (node instanceof Element) attributes.set(node, attributesOf(node))
    else if (node instanceof CharacterData) texts.set(node, node.data)
    if (node instanceof HTMLTemplateElement) remember(node.content)
  }
}

/** Returns whether the server sent a node. @param {Node} node */
export function isServed(node) {
  if (node instanceof Element) return attributes.has(node)
  return node instanceof CharacterData ? texts.has(node) : true
}

/** Lets a node that replaces another one count as sent in its place. @param {Element} next @param {Element} old */
export function inherit(next, old) {
  const known = attributes.get(old)
  if (known !== undefined) attributes.set(next, known)
}

/**
 * Returns what the server sent for an attribute; null for an attribute that it did not send.
 * @param {Element} element
 * @param {string} name
 */
export function servedAttribute(element, name) {
  return attributes.get(element)?.get(name) ?? null
}

/** Returns the attributes that the server sent for an element, also for one of another answer. @param {Element} element */
export function servedAttributes(element) {
  return attributes.get(element) ?? attributesOf(element)
}

/** Returns the text that the server sent for a node without children. @param {Node} node */
export function servedText(node) {
  return (node instanceof CharacterData ? texts.get(node) : undefined) ?? node.nodeValue ?? ''
}

/**
 * Gives an element the attributes that the server has changed. Those that only scripts or the visitor changed stay.
 * @param {Element} element
 * @param {Element} next the same element in the new answer
 * @param {string | null} except an attribute that stays
 */
export function updateAttributes(element, next, except = null) {
  const known = attributes.get(element)
  for (const attribute of next.attributes) {
    const { name, value } = attribute
    if (name === except || known?.get(name) === value || element.getAttribute(name) === value) continue
    const copy = attribute.cloneNode()
    // `setAttribute` refuses names such as `@click`.
    if (copy instanceof Attr) element.setAttributeNode(copy)
  }
  for (const name of known?.keys() ?? element.getAttributeNames()) {
    if (name !== except && !next.hasAttribute(name)) element.removeAttribute(name)
  }
  attributes.set(element, attributesOf(next))
}

/**
 * Returns whether the server sent the same text before, so that the shown text stays, even if a script changed it.
 * @param {CharacterData} shown
 * @param {CharacterData} next
 */
export function isSameText(shown, next) {
  const isSame = texts.get(shown) === next.data
  texts.set(shown, next.data)
  return isSame
}

/** @param {Element} element @returns {ReadonlyMap<string, string>} */
function attributesOf(element) {
  return new Map(Array.from(element.attributes, ({ name, value }) => [name, value]))
}
