/** The script that keeps an open page up to date: it reloads the page after a build, and shows errors of a build. */

/** Path of the server-sent events that the script listens to. */
export const NEWS = '/_ingot/reload'

/**
 * Milliseconds by which the reload of a page is delayed while the visitor leaves it, because a reload would cancel the navigation. A page
 * that is still open afterwards, for example because the link was a download, then reloads.
 */
const LEAVING_RELOAD_DELAY = 3_000

const script = (state: string): string => `<script>(() => {
  let box = null
  const hide = () => { if (box) box.remove(); box = null }
  const show = (text) => {
    hide()
    box = document.createElement('div')
    const root = box.attachShadow({ mode: 'open' })
    root.innerHTML = '<style>div{position:fixed;inset:auto 0 0 0;max-height:70vh;overflow:auto;z-index:2147483647;background:#161a22;color:#e7eaf0;border-top:4px solid #e5484d;font:14px/1.55 ui-monospace,monospace}pre{margin:0;padding:1.25rem 1.5rem;white-space:pre;font:inherit}button{position:sticky;float:right;top:.75rem;right:1rem;background:#2a3040;color:inherit;border:0;border-radius:6px;padding:.25rem .75rem;font:inherit;cursor:pointer}</style><div role="alert"><button type="button">Hide</button><pre></pre></div>'
    root.querySelector('pre').textContent = text
    root.querySelector('button').onclick = hide
    document.documentElement.append(box)
  }
  let left = -Infinity
  addEventListener('beforeunload', () => { left = performance.now() })
  const reload = () => setTimeout(() => location.reload(), Math.max(0, left + ${LEAVING_RELOAD_DELAY} - performance.now()))
  const news = new EventSource('${NEWS}')
  news.addEventListener('hello', (event) => { if (event.data !== '${state}') reload() })
  news.addEventListener('reload', reload)
  news.addEventListener('problems', (event) => show(event.data))
  addEventListener('pagehide', () => news.close())
})()</script>`

/**
 * Adds the script to an HTML page.
 * @param state identifies the state of the site that the page shows, in letters, digits, `-` and `.`. If the server first sends
 * another state, the site was built while the page loaded, or the server was restarted, and the page reloads.
 */
export function withScript(page: string, state: string): string {
  const end = page.toLowerCase().lastIndexOf('</body>')
  return end < 0 ? page + script(state) : page.slice(0, end) + script(state) + page.slice(end)
}
