/** Shows errors over the page, and notes in a corner. Everything is in a shadow root, so that the page's styles do not apply. */
import { PALETTE } from './palette.mjs'

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
 * @property {{ readonly id: string, readonly title: string } | null} fix
 */

/**
 * What the buttons do: open a place in the editor, and apply a fix.
 * @typedef {{ readonly open: (file: string, line: number) => void, readonly fix: (id: string) => void }} Actions
 */

const STYLES = `
section, .note { position: fixed; z-index: 2147483647; font: 14px/1.5 var(--sans); color: var(--ink); background: var(--paper) }
section { inset: auto 0 0 0; max-height: 75vh; overflow: auto; padding: 1rem 1.25rem; border-top: 4px solid var(--wrong); box-shadow: 0 -8px 40px rgb(0 0 0 / .33) }
.note { inset: auto 1rem 1rem auto; max-width: min(44rem, calc(100vw - 2rem)); max-height: 75vh; overflow: auto; border: 1px solid var(--line); border-radius: 10px; padding: .5rem .75rem; box-shadow: 0 4px 20px rgb(0 0 0 / .2) }
.head { display: flex; gap: .75rem; align-items: center; justify-content: space-between }
h1, h2 { font-size: 1rem; margin: 0 }
.failure h1 { overflow-wrap: anywhere } .failure h2 { margin: 1.25rem 0 .35rem; font-size: .95rem }
article { margin: 1rem 0 0; padding: .8rem 1rem; border: 1px solid var(--line); border-radius: 10px; background: var(--raised) }
p, td, .place, code { overflow-wrap: anywhere } .short { white-space: nowrap }
p { margin: .35rem 0 0 } .title { margin: 0 0 .35rem; font-size: 1rem; font-weight: 600 }
pre { margin: .35rem 0; padding: .6rem .75rem; white-space: pre-wrap; overflow-wrap: anywhere; border: 1px solid var(--line); border-radius: 8px; background: var(--raised); font: 13px/1.5 var(--mono); tab-size: 2 }
article pre { background: var(--paper) }
mark { background: var(--wrong-ground); color: inherit; border-radius: 2px } pre.code mark { display: block; margin: 0 -.75rem; padding: 0 .75rem }
table { width: 100%; border-collapse: collapse } td { padding: .3rem .75rem .3rem 0; border-top: 1px solid var(--line); vertical-align: top }
.quiet, .kind { color: var(--soft) }
a { color: var(--accent) }
button { padding: .15rem .6rem; border: 1px solid var(--line); border-radius: 7px; background: var(--raised); color: inherit; font: inherit; cursor: pointer }
button:hover { border-color: currentcolor }
button.fix, [data-ingot-fix] { border-color: var(--accent); background: var(--accent); color: var(--on-accent); font-weight: 600 } [data-ingot-fix] small { font-weight: 400 }
button.place { text-align: left; color: var(--accent) }
.place, code { font: 13px/1.5 var(--mono) }
`

const HELP = 'Alt+click on an element opens the template that printed it.'

/** @param {Actions} actions */
export function createOverlay({ open, fix: applyFix }) {
  const host = document.createElement('ingot-live')
  const root = host.attachShadow({ mode: 'open' })
  // A constructed stylesheet applies whatever the page's Content-Security-Policy says.
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(PALETTE + STYLES)
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
  function article({ file, line, column, code, message, hint, frame, fix }) {
    const place = button(`${file}:${line}:${column}`, () => open(file, line))
    place.className = 'place'
    place.title = 'Open in the editor'
    const parts = [element('p', withCode(message), 'title'), place, element('span', ` ${code}`, 'quiet')]
    if (frame !== null) parts.push(framed(frame, line, column))
    if (hint !== null) parts.push(element('p', [document.createTextNode('Hint: '), ...withCode(hint)]))
    if (fix !== null) {
      const apply = button('', () => applyFix(fix.id))
      apply.append(...withCode(fix.title))
      apply.className = 'fix'
      parts.push(element('p', [apply]))
    }
    return element('article', parts)
  }

  return {
    host,
    /**
     * Shows errors over the page; hides them when there are none.
     * @param {readonly ShownError[]} errors
     * @param {string | null} report a report that belongs to no single place
     * @param {Element | null} failure the content of the error page with which the page was answered when it was requested again
     */
    showErrors(errors, report, failure) {
      const key = JSON.stringify([errors, report, failure?.innerHTML])
      if (errors.length === 0 && report === null && failure === null) {
        hiddenPanel = ''
        panel = put(panel, null)
        return
      }
      if (key === hiddenPanel) return
      const title = errors.length > 0 ? `This page has ${count(errors.length, 'error')}` : 'The page is not up to date'
      const hide = button('Hide', () => {
        hiddenPanel = key
        panel = put(panel, null)
      })
      const heading = element('h2', title)
      heading.id = 'title'
      const body = [element('div', [heading, hide], 'head'), ...errors.map(article)]
      if (report !== null) body.push(element('pre', report))
      if (failure !== null) body.push(element('div', [...document.importNode(failure, true).childNodes], 'failure'))
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

/** Returns a text with its code, which is between backticks, as elements. @param {string} text @returns {readonly Node[]} */
function withCode(text) {
  return text
    .split('`')
    .map((part, at, all) =>
      at % 2 === 1 && at < all.length - 1 ? element('code', part) : document.createTextNode(part),
    )
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
