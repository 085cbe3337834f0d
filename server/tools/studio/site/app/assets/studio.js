// Small aids of the studio's pages. All pages work without them, except uploads.

// The menu of a phone is closed at first.
const menu = document.querySelector('.side > details')
if (menu && matchMedia('(max-width: 52rem)').matches) menu.open = false

// Asks before something is removed.
for (const form of document.querySelectorAll('form[data-confirm]'))
  form.addEventListener('submit', (event) => {
    if (!confirm(form.dataset.confirm)) event.preventDefault()
  })

// Selects that change the list send their form at once.
for (const select of document.querySelectorAll('select[data-submit]'))
  select.addEventListener('change', () => select.form.requestSubmit())

// Loads a part of the page that takes longer.
for (const part of document.querySelectorAll('[data-load]')) load(part)

async function load(part) {
  const answer = await fetch(part.dataset.load, { headers: { accept: 'text/html' } }).catch(() => null)
  if (answer?.ok) part.innerHTML = await answer.text()
  const seconds = Number(part.dataset.every)
  if (seconds > 0) setTimeout(() => load(part), seconds * 1000)
}

// The log: new entries are added at the top while the page can be seen.
const log = document.querySelector('[data-live]')
if (log) setInterval(() => follow(log), 2000)
let following = false

async function follow(list) {
  if (document.hidden || following) return
  following = true
  const url = new URL(list.dataset.live, location.href)
  const newest = list.firstElementChild?.dataset.id
  if (newest) url.searchParams.set('after', newest)
  const answer = await fetch(url, { headers: { accept: 'text/html' } }).catch(() => null)
  const entries = answer?.ok ? (await answer.text()).trim() : ''
  if (entries !== '') {
    list.insertAdjacentHTML('afterbegin', entries)
    while (list.children.length > 1000) list.lastElementChild.remove()
    const empty = document.querySelector('[data-empty]')
    if (empty) empty.hidden = true
  }
  following = false
}
