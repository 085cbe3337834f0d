/** GraphiQL in the browser: bundled by build.mjs, with its editor's workers beside it. Everything comes from the site's own origin. */
import { GraphiQL } from 'graphiql'
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import 'graphiql/style.css'

const HERE = '/_ingot/graphql'

globalThis.MonacoEnvironment = {
  getWorker(_id, label) {
    const name = label === 'json' || label === 'graphql' ? label : 'editor'
    return new Worker(`${HERE}/${name}.worker.js`)
  },
}

let token = document.querySelector('meta[name="ingot-token"]').content

function send(operation) {
  return fetch('/api/graph', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Token ${token}` },
    body: JSON.stringify(operation),
  })
}

// A token lives for some minutes, and ends with the process that made it.
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

createRoot(document.querySelector('main')).render(
  createElement(GraphiQL, {
    fetcher: ask,
    defaultQuery: hello,
    shouldPersistHeaders: false,
    isHeadersEditorEnabled: false,
  }),
)
