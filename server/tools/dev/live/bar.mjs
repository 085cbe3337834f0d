/** A small bar in a corner of the page with links into the studio. It can be folded, and stays so in this browser. */

const KEY = 'ingot-bar'
/** Milliseconds after which the record of the request is asked for. It is written after the answer. */
const ATTEMPTS = [200, 800, 3_000]
const STYLES = `
nav { position: fixed; inset: auto auto .75rem .75rem; z-index: 2147483646; display: flex; align-items: center; gap: .15rem; padding: .2rem .35rem; border: 1px solid var(--line); border-radius: 9px; background: var(--raised); color: var(--ink); font: 600 12.5px/1.5 var(--sans); box-shadow: 0 2px 10px rgb(0 0 0 / .14) }
nav a, nav button { padding: .15rem .5rem; border: 0; border-radius: 6px; background: none; color: inherit; font: inherit; text-decoration: none; cursor: pointer }
nav a:hover, nav button:hover { background: var(--accent-ground) }
.warn { color: var(--warn) }
svg { display: block; color: var(--accent) }
@media print { nav { display: none } }
`
/** Height in pixels of the end of a page that the bar would cover. */
const END = 60
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
  // At the end of a page that scrolls, the bar would cover its footer.
  let isAtEnd = false
  const show = () => {
    studio.hidden = isFolded || isAtEnd
    request.hidden = isFolded || isAtEnd
    toggle.setAttribute('aria-expanded', String(!isFolded))
    toggle.setAttribute('aria-label', isFolded ? 'Show the bar of the studio' : 'Fold the bar of the studio')
  }
  toggle.addEventListener('click', () => {
    isFolded = !isFolded
    store(isFolded ? 'folded' : 'open')
    show()
  })
  addEventListener(
    'scroll',
    () => {
      const { scrollHeight, clientHeight, scrollTop } = document.documentElement
      const was = isAtEnd
      isAtEnd = scrollHeight > clientHeight && scrollTop + clientHeight > scrollHeight - END
      if (was !== isAtEnd) show()
    },
    { passive: true },
  )
  show()
  void describe(request, requestId)
  addEventListener('ingot:patched', () => void describe(request, requestId))
}

/**
 * Writes into the link what the request took, when it is recorded.
 * @param {HTMLAnchorElement} request
 * @param {() => string} requestId
 */
async function describe(request, requestId) {
  const id = requestId()
  for (const delay of ATTEMPTS) {
    await new Promise((done) => setTimeout(done, delay))
    // A page may forbid its scripts to send requests.
    const answer = await fetch(`/_ingot/requests/summary.json?id=${encodeURIComponent(id)}`).catch(() => null)
    if (answer?.ok !== true || id !== requestId()) return
    /** @type {{ milliseconds?: number, queries?: number, findings?: number }} */
    const { milliseconds, queries = 0, findings = 0 } = await answer.json()
    if (milliseconds === undefined) continue
    const parts = [`${milliseconds} ms`, count(queries, 'query', 'queries')]
    if (findings > 0) parts.push(count(findings, 'finding', 'findings'))
    request.textContent = parts.join(' · ')
    request.title = 'This request'
    request.classList.toggle('warn', findings > 0)
    return
  }
}

/** @param {number} number @param {string} one @param {string} many */
function count(number, one, many) {
  return `${number} ${number === 1 ? one : many}`
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
