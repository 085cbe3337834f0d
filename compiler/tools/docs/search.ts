/** The script of the index. It shows the entries that contain all searched words. Names that begin with them come first. */

export const SEARCH = `(() => {
  const field = document.getElementById('find')
  const none = document.getElementById('none')
  const lists = [...document.querySelectorAll('section.list')].map((section) => {
    const list = section.querySelector('ul')
    const items = [...list.children].map((item, at) => {
      const name = item.querySelector('b').textContent.toLowerCase()
      return { item, at, name, text: name + ' ' + item.querySelector('span').textContent.toLowerCase() }
    })
    const number = section.querySelector('small')
    return { section, list, items, number, all: number.textContent }
  })
  const rank = (each, words) => (each.name === words[0] ? 0 : each.name.startsWith(words[0]) ? 1 : words.every((word) => each.name.includes(word)) ? 2 : 3)
  const show = () => {
    const words = field.value.toLowerCase().split(/\\s+/).filter(Boolean)
    document.body.classList.toggle('searching', words.length > 0)
    let count = 0
    for (const { section, list, items, number, all } of lists) {
      const found = items.filter((each) => words.every((word) => each.text.includes(word)))
      const kept = new Set(found)
      for (const each of items) each.item.hidden = !kept.has(each)
      const order = words.length === 0 ? items : found.sort((a, b) => rank(a, words) - rank(b, words) || a.at - b.at)
      list.append(...order.map((each) => each.item))
      section.hidden = found.length === 0
      number.textContent = words.length === 0 ? all : found.length
      count += found.length
    }
    none.textContent = words.length === 0 ? '' : count === 0 ? 'Nothing has all of these words.' : count === 1 ? '1 entry' : count + ' entries'
  }
  const asked = new URLSearchParams(location.search).get('q')
  if (asked) field.value = asked
  field.addEventListener('input', show)
  field.addEventListener('keydown', (event) => {
    const first = document.querySelector('section.list:not([hidden]) li:not([hidden]) a')
    if (event.key === 'Enter' && field.value.trim() && first) first.click()
  })
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target.matches('input')) return
    event.preventDefault()
    field.focus()
  })
  show()
})()`
