/** A small bar in a corner of the page with links into the studio. It can be folded, and stays so in this browser. */

const KEY = 'ingot-bar'
const STYLES = `
nav { position: fixed; inset: auto auto .75rem .75rem; z-index: 2147483646; display: flex; align-items: center; gap: .15rem; padding: .2rem .35rem; border: 1px solid var(--line); border-radius: 9px; background: var(--raised); color: var(--ink); font: 600 12.5px/1.5 var(--sans); box-shadow: 0 2px 10px rgb(0 0 0 / .14) }
nav a, nav button { padding: .15rem .5rem; border: 0; border-radius: 6px; background: none; color: inherit; font: inherit; text-decoration: none; cursor: pointer }
nav a:hover, nav button:hover { background: var(--accent-ground) }
svg { display: block; color: var(--accent) }
@media print { nav { display: none } }
`
const ICON =
  '<svg width="14" height="14" viewBox="0 0 32 32" aria-hidden="true"><path fill="currentColor" d="M9 8h14l5 16H4z"/></svg>'

/**
 * Adds the bar to the element of the notes.
 * @param {HTMLElement} host
 * @param {() => string} requestId returns the id of the request whose answer the page shows
 */
export function addBar(host, requestId) {
  const root = host.shadowRoot
  if (root === null) return
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(STYLES)
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]
  const bar = document.createElement('nav')
  bar.setAttribute('aria-label', 'Studio')
  const toggle = document.createElement('button')
  toggle.type = 'button'
  toggle.innerHTML = ICON
  const studio = link('Studio', () => '/_ingot')
  const request = link('This request', () => `/_ingot/requests/request?id=${encodeURIComponent(requestId())}`)
  bar.append(toggle, studio, request)
  root.append(bar)
  document.documentElement.append(host)
  let isFolded = stored() === 'folded'
  const show = () => {
    studio.hidden = isFolded
    request.hidden = isFolded
    toggle.setAttribute('aria-expanded', String(!isFolded))
    toggle.setAttribute('aria-label', isFolded ? 'Show the bar of the studio' : 'Fold the bar of the studio')
  }
  toggle.addEventListener('click', () => {
    isFolded = !isFolded
    store(isFolded ? 'folded' : 'open')
    show()
  })
  show()
}

/** @param {string} text @param {() => string} address read when the link is used */
function link(text, address) {
  const made = document.createElement('a')
  made.textContent = text
  made.href = address()
  for (const event of ['pointerdown', 'focus', 'click']) made.addEventListener(event, () => (made.href = address()))
  return made
}

// A page may forbid the storage of its origin. The bar is then open again on the next page.
function stored() {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}

/** @param {string} value */
function store(value) {
  try {
    localStorage.setItem(KEY, value)
  } catch {
    // See above.
  }
}
