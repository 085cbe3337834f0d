/** The script of the start page: a search in tasks, names and descriptions. */

/**
 * Ranks items for a query, best first: `rankItems(items, query)`, where an item has `name`, `summary` and `words`. Whole words count more
 * than parts of words: `ics` is not `metrics`. Words that say
 * nothing (`how do I`) are left out. If fewer than five items have all words, those that lack one follow. @internal Exported for tests.
 */
export const RANKING = `
const FILLERS = new Set('a an and are be by can do does for from get how i if in is it its me my of on or one so that the their there this to up use what when where which who why with you your'.split(' '))
const stemOf = (word) => (word.length < 4 ? word : word.replace(/ies$/, 'y').replace(/(?:ing|ed|es|s)$/, ''))
const partsOf = (text) => text.toLowerCase().split(/[^\\p{L}\\p{N}]+/u).filter(Boolean)
function prepareItem({ name, summary, words }) {
  const lower = name.toLowerCase()
  // A name such as \`http_status\` is a word, and so are its parts.
  const names = [...partsOf(lower), ...lower.split(/[^\\p{L}\\p{N}_]+/u)]
  return { name: lower, names, words: [...partsOf(words), ...words.split(' ')], summary: partsOf(summary), text: summary.toLowerCase() }
}
function scoreOf(item, word) {
  const stem = stemOf(word)
  const begins = (part) => part.startsWith(word)
  const beginsStem = (part) => part.startsWith(stem)
  if (item.name === word) return 100
  if (item.names.includes(word)) return 60
  if (item.words.includes(word)) return 50
  if (item.name.startsWith(word)) return 45
  if (item.names.some(begins)) return 40
  if (item.names.some(beginsStem) || item.words.some(beginsStem)) return 25
  if (item.summary.includes(word)) return 18
  if (item.summary.some(begins)) return 10
  if (item.name.includes(word)) return 9
  if (item.summary.some(beginsStem)) return 8
  return item.text.includes(word) ? 5 : 0
}
function rankItems(items, query) {
  const all = query.toLowerCase().split(/[\\s,?!]+/).filter(Boolean)
  const telling = all.filter((word) => !FILLERS.has(word))
  const words = telling.length > 0 ? telling : all
  const found = items.map((item, at) => {
    const scores = words.map((word) => scoreOf(item, word))
    const matched = scores.filter((score) => score > 0).length
    return { at, matched, score: scores.reduce((sum, score) => sum + score, item.name === all.join(' ') ? 1000 : 0) }
  })
  const whole = found.filter(({ matched }) => matched === words.length)
  const kept = whole.length < 5 && words.length > 1 ? found.filter(({ matched }) => matched >= words.length - 1) : whole
  return kept.sort((a, b) => b.matched - a.matched || b.score - a.score || a.at - b.at).map(({ at }) => at)
}
`

export const SEARCH = `(() => {
  ${RANKING}
  const MOST = 60
  const field = document.getElementById('find')
  const none = document.getElementById('none')
  const results = document.getElementById('results')
  const lists = document.getElementById('lists')
  const shown = [...lists.querySelectorAll('.cards li')]
  const items = shown.map((item) =>
    prepareItem({
      name: item.querySelector('b').textContent,
      summary: item.querySelector('span').textContent,
      words: item.dataset.words || '',
    }),
  )
  const show = () => {
    const query = field.value.trim()
    const found = query === '' ? [] : rankItems(items, query)
    results.replaceChildren(...found.slice(0, MOST).map((at) => shown[at].cloneNode(true)))
    results.hidden = query === ''
    lists.hidden = query !== ''
    const count = found.length > MOST ? MOST + ' of ' + found.length : found.length
    none.textContent = query === '' ? '' : found.length === 0 ? 'Nothing has all of these words.' : found.length === 1 ? '1 entry' : count + ' entries'
  }
  const open = () => {
    const list = document.getElementById(location.hash.slice(1))
    const fold = list && list.closest('details.list')
    if (!fold) return
    fold.open = true
    fold.scrollIntoView()
  }
  const asked = new URLSearchParams(location.search).get('q')
  if (asked) field.value = asked
  field.addEventListener('input', show)
  field.addEventListener('keydown', (event) => {
    const first = results.querySelector('a')
    if (event.key === 'Enter' && first) first.click()
  })
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target.matches('input')) return
    event.preventDefault()
    field.focus()
  })
  addEventListener('hashchange', open)
  open()
  show()
})()`
