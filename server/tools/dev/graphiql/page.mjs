/** GraphiQL in the browser. build.mjs bundles it together with the editor's workers. Everything is loaded from the site's own origin. */
import { GraphiQL } from 'graphiql'
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import 'graphiql/style.css'

/**
 * A request of GraphiQL: a query with its variables.
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
 * Returns the element that a selector finds. @throws Error when the server's page does not contain it
 * @param {string} selector
 */
function requireElement(selector) {
  const element = document.querySelector(selector)
  if (element === null) throw new Error(`The page lacks '${selector}'.`)
  return element
}

let token = requireElement('meta[name="ingot-token"]').getAttribute('content') ?? ''

/** @param {Operation} operation */
function send(operation) {
  return fetch('/api/graph', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Token ${token}` },
    body: JSON.stringify(operation),
  })
}

/**
 * Sends an operation. Tokens expire after minutes, and when the server restarts, so a refused request is repeated with a new one.
 * @param {Operation} operation
 */
async function fetchResult(operation) {
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
{
  records(per_page: 20) {
    total_entries
    results { id created_at properties }
  }
}
`

createRoot(requireElement('#graphiql')).render(
  createElement(GraphiQL, {
    fetcher: fetchResult,
    defaultQuery: hello,
    shouldPersistHeaders: false,
    isHeadersEditorEnabled: false,
  }),
)
