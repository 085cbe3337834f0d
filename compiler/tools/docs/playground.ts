/**
 * The playground of the reference: a page that compiles and renders a template in the browser while it is edited. Its content is
 * `playground.html`.
 */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * Returns the bundled engine for the page. The bundle is next to this file in the product, and in dist/ if this file runs from
 * sources.
 */
export function playgroundEngine(): string {
  const places = ['./browser/ingot.mjs', '../../../dist/browser/ingot.mjs']
  const paths = places.map((place) => fileURLToPath(new URL(place, import.meta.url)))
  const path = paths.find((each) => existsSync(each))
  if (path === undefined) throw new Error('the engine of the playground has not been built')
  return classicScript(readFileSync(path, 'utf8'))
}

/**
 * Converts a bundle to a classic script that sets `Ingot`, because a page opened as a file cannot load modules.
 * @throws Error for a bundle that does not end with its only list of exports
 */
function classicScript(module: string): string {
  const [, code, exported] = /^([\s\S]*)\bexport\{([^{}]*)\};?\s*$/.exec(module) ?? []
  if (code === undefined || exported === undefined)
    throw new Error('the engine of the playground exports in another way')
  const properties = exported.split(',').map((each) => {
    const [local = '', name = local] = each.trim().split(' as ')
    return `${name}:${local}`
  })
  return `"use strict";var Ingot=(()=>{${code}return{${properties.join(',')}}})();\n`
}

/** The script of the page. */
export const PLAYGROUND_SCRIPT = `(() => {
  const part = (id) => document.getElementById(id)
  const fields = ['template', 'data', 'dialect', 'syntax']
  const first = {
    template: "<h1>{{ title | upcase }}</h1>\\n{% for dish in dishes %}\\n  <p>{{ forloop.index }}. {{ dish.name }}: {{ dish.price | times: 1.2 }}</p>\\n{% endfor %}",
    data: '{\\n  "title": "Kitchen",\\n  "dishes": [{ "name": "Soup", "price": 4 }]\\n}',
    dialect: 'platform',
    syntax: 'lax',
  }
  const written = () => Object.fromEntries(fields.map((id) => [id, part(id).value]))
  const encode = (value) => btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(value)))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  const decode = (text) => JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (sign) => sign.charCodeAt(0))))
  const fill = () => {
    let given = {}
    try { given = decode(location.hash.slice(1)) } catch { given = {} }
    for (const id of fields) {
      part(id).value = typeof given[id] === 'string' ? given[id] : first[id]
      if (part(id).value === '' && part(id).tagName === 'SELECT') part(id).value = first[id]
    }
  }
  const goTo = (line, column) => {
    const field = part('template')
    const lines = field.value.split('\\n')
    const at = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0) + column - 1
    field.focus()
    field.setSelectionRange(at, at)
  }
  const told = ({ severity, code, line, column, message, hint }) => {
    const item = document.createElement('li')
    const place = document.createElement('button')
    place.type = 'button'
    place.textContent = 'line ' + line + ', column ' + column
    place.addEventListener('click', () => goTo(line, column))
    const name = document.createElement('b')
    name.className = severity
    name.textContent = severity + ' ' + code
    const words = document.createElement('p')
    words.textContent = message + (hint === undefined || hint === null ? '' : ' ' + hint)
    item.append(name, ' ', place, words)
    return item
  }
  let runs = 0
  const run = async () => {
    const own = ++runs
    const result = await Ingot.play(written())
    if (own !== runs) return
    part('output').textContent = result.output === null ? result.error : result.output
    part('output').classList.toggle('failed', result.output === null)
    const none = document.createElement('li')
    none.textContent = 'Nothing to report.'
    part('diagnostics').replaceChildren(...(result.diagnostics.length === 0 ? [none] : result.diagnostics.map(told)))
    part('typescript').textContent = result.typescript
  }
  let timer = 0
  const soon = () => {
    clearTimeout(timer)
    timer = setTimeout(run, 120)
  }
  part('play').addEventListener('submit', (event) => event.preventDefault())
  part('play').addEventListener('input', soon)
  part('share').addEventListener('click', async () => {
    history.replaceState(null, '', '#' + encode(written()))
    let copied = false
    try { await navigator.clipboard.writeText(location.href); copied = true } catch { copied = false }
    part('shared').textContent = copied ? 'The link is copied.' : 'The link is in the address bar.'
  })
  addEventListener('hashchange', () => { fill(); run() })
  fill()
  run()
})()
`
