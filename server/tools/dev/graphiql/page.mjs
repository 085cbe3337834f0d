/** GraphiQL in the browser: bundled by build.mjs, with its editor's workers beside it. Everything comes from the site's own origin. */
import { GraphiQL } from 'graphiql'
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import 'graphiql/style.css'

/**
 * What GraphiQL asks: a query with its variables.
 * @typedef {Parameters<import('graphiql').GraphiQLProps['fetcher']>[0]} Operation
 */

const HERE = '/_ingot/graphql'

globalThis.MonacoEnvironment = {
  getWorker(_id, label) {
    const name = label === 'json' || label === 'graphql' ? label : 'editor'
    return new Worker(`${HERE}/${name}.worker.js`)
  },
}

/**
 * The element of the page that a selector finds. The server wrote the page: where it is not there, nothing can be shown.
 * @param {string} selector
 */
function found(selector) {
  const element = document.querySelector(selector)
  if (element === null) throw new Error(`The page lacks '${selector}'.`)
  return element
}

let token = found('meta[name="ingot-token"]').getAttribute('content') ?? ''

/** @param {Operation} operation */
function send(operation) {
  return fetch('/api/graph', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Token ${token}` },
    body: JSON.stringify(operation),
  })
}

/**
 * A token lives for some minutes, and ends with the process that made it.
 * @param {Operation} operation
 */
async function ask(operation) {
  let answer = await send(operation)
  if (answer.status === 401) {
    const fresh = await fetch(`${HERE}/token`, { method: 'POST' })
    if (!fresh.ok) throw new Error(await fresh.text())
    token = await fresh.text()
    answer = await send(operation)
  }
  return answer.json()
}

const hello = `# Queries run against the site's own data, as in a template.
#
# {
#   records(per_page: 20, filter: { table: { value: "…" } }) {
#     total_entries
#     results { id created_at properties }
#   }
# }
`

createRoot(found('#graphiql')).render(
  createElement(GraphiQL, {
    fetcher: ask,
    defaultQuery: hello,
    shouldPersistHeaders: false,
    isHeadersEditorEnabled: false,
  }),
)
