/** Shows errors over the page, and notes in a corner. Everything is in a shadow root, so that the page's styles do not apply. */

/**
 * An error of the compiler. `frame.first` is the number of its first line, and `frame.length` that of the marked characters.
 * @typedef {object} ShownError
 * @property {string} file
 * @property {number} line
 * @property {number} column
 * @property {string} code
 * @property {string} message
 * @property {string | null} hint
 * @property {{ readonly first: number, readonly lines: readonly string[], readonly length: number } | null} frame
 */

/** Opens a place in the editor. @typedef {(file: string, line: number) => void} OpenPlace */

const STYLES = `
:host { all: initial }
* { box-sizing: border-box }
section, .note { position: fixed; z-index: 2147483647; font: 14px/1.5 system-ui, sans-serif; color: #1c2230; background: #fff; color-scheme: light dark }
section { inset: auto 0 0 0; max-height: 75vh; overflow: auto; padding: 1rem 1.25rem; border-top: 4px solid #c62a2f; box-shadow: 0 -8px 40px rgb(0 0 0 / .33) }
.note { inset: auto 1rem 1rem auto; max-width: min(44rem, calc(100vw - 2rem)); max-height: 75vh; overflow: auto; border: 1px solid #c9cdd6; border-radius: 10px; padding: .5rem .75rem; box-shadow: 0 4px 20px rgb(0 0 0 / .2) }
.head { display: flex; gap: .75rem; align-items: center; justify-content: space-between }
h2 { font-size: 1rem; margin: 0 }
h3 { font-size: 1rem; font-weight: 600; margin: 0 0 .35rem; overflow-wrap: anywhere }
article { margin: 1rem 0 0 }
p { margin: .35rem 0 0; overflow-wrap: anywhere }
pre { margin: .35rem 0; padding: .6rem .75rem; overflow: auto; border: 1px solid #d9dce3; border-radius: 6px; font: 13px/1.5 ui-monospace, monospace; tab-size: 2 }
mark { background: #ffd9d6; color: inherit; border-radius: 2px }
.quiet { color: #5b6270 }
button { font: inherit; color: inherit; background: #eceef3; border: 1px solid #c9cdd6; border-radius: 6px; padding: .15rem .6rem; cursor: pointer }
button:focus-visible { outline: 2px solid #0b63ce; outline-offset: 1px }
.place { font: 13px ui-monospace, monospace }
@media (prefers-color-scheme: dark) {
  section, .note { color: #e7eaf0; background: #161a22; border-color: #3a4252 }
  section { border-top-color: #e5484d }
  pre { border-color: #333a48 }
  mark { background: #6b2a28 }
  .quiet { color: #a6aebd }
  button { background: #2a3040; border-color: #444d60 }
  button:focus-visible { outline-color: #7cb7ff }
}
`

const HELP = 'Alt+click on an element opens the template that printed it.'

/** @param {OpenPlace} open */
export function createOverlay(open) {
  const host = document.createElement('ingot-live')
  const root = host.attachShadow({ mode: 'open' })
  // A constructed stylesheet applies whatever the page's Content-Security-Policy says.
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(STYLES)
  root.adoptedStyleSheets = [sheet]
  /** @type {HTMLElement | null} */
  let panel = null
  /** @type {HTMLElement | null} */
  let note = null
  /** What the visitor has hidden. */
  let hiddenPanel = ''
  let hiddenNote = ''

  addEventListener(
    'keydown',
    (event) => {
      if (event.key === 'Escape') panel?.querySelector('button')?.click()
    },
    true,
  )

  /** @param {HTMLElement | null} old @param {HTMLElement | null} next */
  function put(old, next) {
    old?.remove()
    if (next !== null) root.append(next)
    if (!host.isConnected) document.documentElement.append(host)
    return next
  }

  /**
   * @param {ShownError} error
   */
  function article({ file, line, column, code, message, hint, frame }) {
    const place = button(`${file}:${line}:${column}`, () => open(file, line))
    place.className = 'place'
    place.title = 'Open in the editor'
    const parts = [element('h3', message), place, element('span', ` ${code}`, 'quiet')]
    if (frame !== null) parts.push(framed(frame, line, column))
    if (hint !== null) parts.push(element('p', `Hint: ${hint}`))
    return element('article', parts)
  }

  return {
    host,
    /**
     * Shows errors over the page; hides them when there are none.
     * @param {readonly ShownError[]} errors
     * @param {string | null} report a report that belongs to no single place
     */
    showErrors(errors, report) {
      const key = JSON.stringify([errors, report])
      if (errors.length === 0 && report === null) {
        hiddenPanel = ''
        panel = put(panel, null)
        return
      }
      if (key === hiddenPanel) return
      const title = errors.length > 0 ? `This page uses ${count(errors.length, 'error')}` : 'The page is not up to date'
      const hide = button('Hide', () => {
        hiddenPanel = key
        panel = put(panel, null)
      })
      const heading = element('h2', title)
      heading.id = 'title'
      const body = [element('div', [heading, hide], 'head'), ...errors.map(article)]
      if (report !== null) body.push(element('pre', report))
      if (errors.length > 0) body.push(element('p', `The page is updated when this is corrected. ${HELP}`, 'quiet'))
      const next = element('section', body)
      next.setAttribute('role', 'alert')
      next.setAttribute('aria-labelledby', 'title')
      panel = put(panel, next)
    },
    /**
     * Shows the errors of other files as a note; hides the note when there are none.
     * @param {readonly ShownError[]} errors
     */
    showOthers(errors) {
      if (errors.length === 0) {
        hiddenNote = ''
        note = put(note, null)
        return
      }
      const key = JSON.stringify(errors)
      if (key === hiddenNote) return
      const list = element('div', [...errors.map(article), element('p', HELP, 'quiet')])
      list.hidden = true
      const toggle = button(`${count(errors.length, 'error')} in other files`, () => {
        list.hidden = !list.hidden
        toggle.setAttribute('aria-expanded', String(!list.hidden))
      })
      toggle.setAttribute('aria-expanded', 'false')
      const hide = button('Dismiss', () => {
        hiddenNote = key
        note = put(note, null)
      })
      const next = element('div', [element('div', [toggle, hide], 'head'), list], 'note')
      next.setAttribute('role', 'status')
      note = put(note, next)
    },
    /**
     * Shows a sentence as a note.
     * @param {string} text
     * @param {{ readonly label: string, readonly run: () => void } | null} action a button beside it
     * @param {number | null} milliseconds after which the note disappears; null keeps it
     */
    say(text, action = null, milliseconds = null) {
      const hide = button('Dismiss', () => next.remove())
      const parts = [element('span', text)]
      if (action !== null) parts.push(button(action.label, action.run))
      const next = element('div', [element('div', [...parts, hide], 'head')], 'note')
      next.setAttribute('role', 'status')
      next.dataset['note'] = text
      for (const old of root.querySelectorAll('[data-note]')) old.remove()
      put(null, next)
      if (milliseconds !== null) setTimeout(() => next.remove(), milliseconds)
    },
  }
}

/**
 * @param {NonNullable<ShownError['frame']>} frame
 * @param {number} line
 * @param {number} column
 */
function framed({ first, lines, length }, line, column) {
  const width = String(first + lines.length - 1).length
  const pre = element('pre', [])
  for (const [at, text] of lines.entries()) {
    const number = first + at
    pre.append(`${String(number).padStart(width)} | `)
    if (number === line) {
      const end = column - 1 + length
      pre.append(text.slice(0, column - 1), element('mark', text.slice(column - 1, end) || ' '), text.slice(end))
    } else pre.append(text)
    if (at < lines.length - 1) pre.append('\n')
  }
  return pre
}

/** @param {number} number @param {string} noun */
function count(number, noun) {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

/** @param {string} text @param {() => void} run */
function button(text, run) {
  const made = document.createElement('button')
  made.type = 'button'
  made.textContent = text
  made.addEventListener('click', run)
  return made
}

/** @param {string} name @param {string | readonly Node[]} content */
function element(name, content, className = '') {
  const made = document.createElement(name)
  if (typeof content === 'string') made.textContent = content
  else made.append(...content)
  if (className !== '') made.className = className
  return made
}
