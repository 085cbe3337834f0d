/** Keeps an open page of a site in development up to date. `live-page.ts` adds it to each page. */
import { showAssets, stampRules } from './assets.mjs'
import { patchPage, rememberPage } from './document.mjs'
import { applyFix, openFile, withToken } from './requests.mjs'
import { servedElement, templateOf } from './origin.mjs'
import { addBar } from './bar.mjs'
import { createOverlay } from './overlay.mjs'

/** @typedef {import('./assets.mjs').ChangedAsset} ChangedAsset */
/** @typedef {import('./overlay.mjs').ShownError} ShownError */

/**
 * Milliseconds by which loading the page again is delayed while the visitor leaves it, because it would cancel the navigation. A page that is
 * still open afterwards, for example because the link was a download, then loads again.
 */
const LEAVING_DELAY = 3_000
/** Milliseconds before a lost connection is opened again. */
const RETRY_DELAY = 300
/** Milliseconds for which a note about an opened file is shown. */
const NOTE_TIME = 4_000
/** What a browser sends when it loads a page. */
const ACCEPT = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'

const own = document.currentScript
if (own instanceof HTMLScriptElement) start(own)

/** @param {HTMLScriptElement} script the element of this script */
function start(script) {
  const { page = '', update = 'reload' } = script.dataset
  let { state = '', token = '' } = script.dataset
  /** @type {EventSource | null} */
  let news = null
  /** Whether the page must be rendered again. */
  let isOutdated = false
  /** @type {Map<string, ChangedAsset>} */
  const assets = new Map()
  let hasErrors = false
  /** The error page when the page failed as it was rendered again. @type {Element | null} */
  let failure = null
  /** @type {string | null} */
  let report = null
  /** @type {readonly ShownError[]} */
  let errors = []
  let request = new AbortController()
  let left = -Infinity
  /** Whether the page is about to load again. */
  let isReloading = false

  const overlay = createOverlay({ open: (file, line) => void open({ file, line }), fix: (id) => void fix(id) })
  if (token !== '') showButtons(document)

  if (token !== '') addBar(overlay.host, () => script.dataset['request'] ?? '')

  // ---- connection -------------------------------------------------------------------------------------------------------

  function connect() {
    if (news !== null || document.hidden) return
    const source = new EventSource(`/_ingot/reload?page=${page}&state=${encodeURIComponent(state)}`)
    news = source
    // The errors of a build come before its changes, because a page with errors is not rendered again.
    source.addEventListener('errors', ({ data }) => {
      /** @type {{ report: string | null, own: ShownError[], others: ShownError[] }} */
      const sent = JSON.parse(data)
      report = sent.report
      errors = sent.own
      hasErrors = errors.length > 0
      showErrors()
      overlay.showOthers(sent.others)
    })
    source.addEventListener('update', ({ data }) => {
      /** @type {{ state: string, page: boolean, assets: ChangedAsset[] }} */
      const change = JSON.parse(data)
      state = change.state
      isOutdated ||= change.page
      for (const asset of change.assets) assets.set(asset.path, asset)
      settle()
    })
    // The browser would connect again with the state of the first connection.
    source.addEventListener('error', () => {
      if (news !== source) return
      disconnect()
      setTimeout(connect, RETRY_DELAY)
    })
  }

  function disconnect() {
    news?.close()
    news = null
  }

  // ---- updates ----------------------------------------------------------------------------------------------------------

  function showErrors() {
    overlay.showErrors(errors, report, failure)
  }

  function reload() {
    if (update === 'ask') {
      overlay.say('This page is outdated. It was the answer to a form.', {
        label: 'Load it again',
        run: () => location.reload(),
      })
      return
    }
    if (isReloading) return
    isReloading = true
    setTimeout(
      () => {
        location.reload()
        // The visitor may stay on a page that asks before it is left.
        setTimeout(() => (isReloading = false), LEAVING_DELAY)
      },
      Math.max(0, left + LEAVING_DELAY - performance.now()),
    )
  }

  /** Applies the changes that are known and not applied yet. */
  function settle() {
    // The server sends the changes again when the page is visible.
    if (document.hidden) return
    const changed = [...assets.values()]
    if (update === 'reload' && (changed.length > 0 || isOutdated)) return reload()
    assets.clear()
    if (!showAssets(changed)) return reload()
    if (!isOutdated || hasErrors) return
    if (update === 'ask') return reload()
    isOutdated = false
    request.abort()
    request = new AbortController()
    const { signal } = request
    refresh(signal).catch((error) => {
      if (signal.aborted) return
      // The server is starting again, or a library of the page has changed what this script relies on.
      console.warn('The page could not be updated.', error)
      isOutdated = true
    })
  }

  /** Requests the page again, and patches it. A request that is overtaken is aborted. @param {AbortSignal} signal */
  async function refresh(signal) {
    // The page of an error has nothing to keep, so it is not requested twice.
    if (isDevelopersPage(document)) return reload()
    const answer = await fetch(location.href, {
      headers: { accept: ACCEPT, 'x-ingot-page': page },
      cache: 'no-store',
      redirect: 'manual',
      signal,
    })
    const type = answer.headers.get('content-type') ?? ''
    if (answer.type === 'opaqueredirect' || !type.startsWith('text/html')) return reload()
    const next = new DOMParser().parseFromString(await answer.text(), 'text/html')
    if (signal.aborted) return
    if (token !== '') showButtons(next)
    // An error is shown over the page that worked before.
    if (answer.status >= 500) {
      failure = contentOf(next)
      showErrors()
      return
    }
    failure = null
    const sent = next.querySelector('script[src^="/_ingot/live.js"]')
    token = sent?.getAttribute('data-token') ?? token
    script.dataset['request'] = sent?.getAttribute('data-request') ?? ''
    if (!(await patchPage(next, script))) return reload()
    stampRules()
    showErrors()
    dispatchEvent(new CustomEvent('ingot:patched'))
  }

  // ---- opening templates ------------------------------------------------------------------------------------------------

  /**
   * @param {{ readonly isDone: boolean, readonly sentence: string, readonly token: string }} result
   * @param {{ readonly label: string, readonly run: () => void } | null} action offered when nothing was done
   */
  function tell(result, action = null) {
    token = result.token
    overlay.say(result.sentence, result.isDone ? null : action, result.isDone ? NOTE_TIME : null)
  }

  /** @param {import('./requests.mjs').Place} place */
  async function open(place) {
    if (token === '') return overlay.say('Files are opened only on the machine of the developer.')
    const { file, line } = place
    const source = `/_ingot/source?file=${encodeURIComponent(file)}&line=${line}`
    tell(await openFile(place, token), { label: 'Show the source', run: () => void window.open(source, '_blank') })
  }

  /** Applies a fix. The page is updated when the site has been built again. @param {string} id */
  async function fix(id) {
    if (token === '') return overlay.say('Fixes are applied only on the machine of the developer.')
    tell(await applyFix(id, token))
  }

  /** Opens the template that printed an element. @param {Element} clicked */
  async function openTemplate(clicked) {
    if (update !== 'patch') return overlay.say('Templates are found only on pages that can be requested again.')
    if (token === '') return overlay.say('Files are opened only on the machine of the developer.')
    const element = servedElement(clicked)
    const result = await withToken(token, (current) =>
      fetch(location.href, { headers: { accept: ACCEPT, 'x-ingot-marks': current }, cache: 'no-store' }),
    )
    token = result.token
    const marked = new DOMParser().parseFromString(await result.answer.text(), 'text/html')
    const place = templateOf(element, marked, script)
    if (place === null) return overlay.say('No template of the site printed this element.')
    await open(place)
  }

  addEventListener(
    'click',
    (event) => {
      const { altKey, ctrlKey, metaKey, shiftKey, button } = event
      const [target] = event.composedPath()
      if (!altKey || ctrlKey || metaKey || shiftKey || button !== 0 || !(target instanceof Element)) return
      if (event.composedPath().includes(overlay.host)) return
      event.preventDefault()
      event.stopImmediatePropagation()
      const [shown] = event.composedPath().filter((each) => each instanceof Element && each.getRootNode() === document)
      if (shown instanceof Element) void openTemplate(shown)
    },
    true,
  )

  // The buttons of the developer's pages, which are also shown over pages. A page of the site has none.
  addEventListener('click', (event) => {
    const isOwn = event.composedPath().includes(overlay.host) || isDevelopersPage(document)
    const [target] = event.composedPath()
    const pressed = isOwn && target instanceof Element ? target.closest('button') : null
    const { ingotFile, ingotLine, ingotFix } = pressed?.dataset ?? {}
    if (ingotFile !== undefined) void open({ file: ingotFile, line: Number(ingotLine) })
    if (ingotFix !== undefined) void fix(ingotFix)
  })

  // ---- life of the page -------------------------------------------------------------------------------------------------

  addEventListener('beforeunload', () => {
    left = performance.now()
  })
  addEventListener('pagehide', disconnect)
  addEventListener('pageshow', connect)
  // A browser opens few connections to one host, so pages in the background have none.
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) return disconnect()
    connect()
    settle()
  })
  rememberPage(script)
  connect()
}

/** Returns whether a page is one of the server for developers, such as that of an error. @param {Document} page */
function isDevelopersPage(page) {
  return page.querySelector('main > [data-ingot-page]') !== null
}

/** Shows the buttons that need this script. @param {Document} page */
function showButtons(page) {
  if (!isDevelopersPage(page)) return
  for (const each of page.querySelectorAll('button[data-ingot-file], button[data-ingot-fix]'))
    each.removeAttribute('hidden')
}

/** Returns the content of an error page. @param {Document} page */
function contentOf(page) {
  for (const hidden of page.querySelectorAll('script, style, .studio')) hidden.remove()
  return page.querySelector('main') ?? page.body
}
