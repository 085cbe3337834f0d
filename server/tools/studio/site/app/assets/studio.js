// Small aids of the studio's pages. All pages work without them, except uploads.

// The menu of a phone is closed at first.
const menu = document.querySelector('.side > details')
if (menu && matchMedia('(max-width: 52rem)').matches) menu.open = false

// Asks before something is removed, also in parts that are loaded later.
addEventListener('submit', (event) => {
  const { confirm: question } = event.target.dataset
  if (question && !confirm(question)) event.preventDefault()
})

// Loads a part of the page that takes longer, or that changes: `data-every` is the number of seconds. A part with `data-settled` is the last one.
for (const part of document.querySelectorAll('[data-load]')) load(part)

async function load(part) {
  const seconds = Number(part.dataset.every)
  const next = seconds > 0 ? setTimeout(() => load(part), seconds * 1000) : 0
  if (document.hidden) return
  const answer = await fetch(part.dataset.load, { headers: { accept: 'text/html' } }).catch(() => null)
  const text = answer?.ok ? (await answer.text()).trim() : null
  // A part that is the same keeps its open details, and a part with the focus waits.
  const isSame = text === null || text === (part.loaded ?? part.innerHTML.trim())
  if (isSame || (seconds > 0 && part.contains(document.activeElement))) return
  part.innerHTML = text
  part.loaded = text
  if (part.querySelector('[data-settled]')) clearTimeout(next)
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
    mergeErrors(list)
    while (list.children.length > 1000) list.lastElementChild.remove()
    const empty = document.querySelector('[data-empty]')
    if (empty) empty.hidden = true
  }
  following = false
}

// Equal errors are one entry: the last one, with their number and the time of the first one.
function mergeErrors(list) {
  const newest = new Map()
  for (const entry of list.querySelectorAll(':scope > [data-key]')) {
    const first = newest.get(entry.dataset.key)
    if (!first) {
      newest.set(entry.dataset.key, entry)
      continue
    }
    first.dataset.count = Number(first.dataset.count) + Number(entry.dataset.count)
    const times = first.querySelector('.times')
    times.hidden = false
    times.querySelector('.tag').textContent = `${first.dataset.count} times`
    times.querySelector('time').replaceWith(entry.querySelector('.times time'))
    entry.remove()
  }
}

// Times that say how long ago something was, as `partials/ago.liquid` prints them.
setInterval(() => {
  for (const time of document.querySelectorAll('time.ago')) {
    const minutes = Math.floor((Date.now() - Date.parse(time.dateTime)) / 60_000)
    if (minutes >= 1 && minutes < 24 * 60)
      time.textContent = minutes < 60 ? `${minutes} min ago` : `${Math.floor(minutes / 60)} h ago`
  }
}, 20_000)

// Uploads go directly to the store. The form then names the stored file.
for (const part of document.querySelectorAll('.upload[data-sign]'))
  part.querySelector('input[type="file"]').addEventListener('change', () => upload(part))

async function upload(part) {
  const [file] = part.querySelector('input[type="file"]').files
  const status = part.querySelector('[role="status"]')
  const form = part.closest('form')
  const button = form.querySelector('button[type="submit"]')
  button.disabled = false
  if (!file) return
  button.disabled = true
  status.classList.remove('wrong')
  status.textContent = `Uploading ${file.name}`
  try {
    const signed = await fetch(part.dataset.sign, {
      method: 'POST',
      headers: { accept: 'application/json', 'x-csrf-token': form.elements.authenticity_token.value },
      body: new URLSearchParams({ table: part.dataset.table, name: part.dataset.name }),
    })
    const { url, fields, errors } = await signed.json()
    if (!url) throw new Error(errors?.[0]?.message ?? 'The upload was refused.')
    const body = new FormData()
    for (const [name, value] of Object.entries(fields)) body.append(name, value)
    body.append('file', file)
    const stored = await fetch(url, { method: 'POST', body })
    const text = await stored.text()
    const address = new DOMParser().parseFromString(text, 'text/xml').querySelector('Location')?.textContent
    if (!stored.ok || !address) throw new Error('The store refused the file: see its type and size in the table.')
    part.querySelector('input[type="hidden"]').value = address
    status.textContent = `${file.name} is stored. It replaces the file when you save.`
    button.disabled = false
  } catch (error) {
    // The form stays closed, because it would save the row without the file.
    status.classList.add('wrong')
    status.textContent = `${file.name} was not stored: ${error.message} Choose another file, or load the page again.`
  }
}

// Files open in the editor of the developer. Without an editor, their links show the source.
addEventListener('click', (event) => {
  const { target, button, altKey, ctrlKey, metaKey, shiftKey } = event
  const link = target instanceof Element ? target.closest('.file') : null
  if (!link || button !== 0 || altKey || ctrlKey || metaKey || shiftKey) return
  event.preventDefault()
  openFile(link).catch(() => say('Files open in the editor while `ingot dev` serves the site.'))
})

async function openFile({ dataset: { file, line, open }, href }) {
  const { opened, editor, error } = await act(open, open, { file, line: Number(line) })
  if (opened || !href) say(opened ? `Opened ${opened} with ${editor}.` : error)
  else location.href = href
}

// Fixes of problems. The list follows the files, so it shows the result.
addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest('button[data-fix]') : null
  if (button) applyFix(button).catch(() => say('Fixes are applied while `ingot dev` serves the site.'))
})

async function applyFix(button) {
  const { fix, base } = button.dataset
  button.disabled = true
  const { fixed, error } = await act(`${base}/fix`, `${base}/open`, { fix })
  say(fixed ? `Changed ${fixed.join(', ')}.` : error)
  button.disabled = Boolean(fixed)
  // A list that has the focus does not follow.
  if (fixed) button.blur()
}

// Sends a request that acts on this machine, with a token of the server.
async function act(path, open, body) {
  const send = (to, headers, text) => fetch(to, { method: 'POST', headers, body: text })
  const { token } = await (await send(`${open}/token`, {}, null)).json()
  const headers = { 'content-type': 'application/json', 'x-ingot-token': token }
  return (await send(path, headers, JSON.stringify(body))).json()
}

function say(sentence) {
  document.querySelector('.toast')?.remove()
  const toast = document.createElement('p')
  toast.className = 'toast'
  toast.setAttribute('role', 'status')
  toast.textContent = sentence
  document.body.append(toast)
  setTimeout(() => toast.remove(), 5_000)
}

// The result of a form is shown below it, so that the form keeps its file.
for (const form of document.querySelectorAll('form[data-into]'))
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    sendInto(form, event.submitter)
  })

// Ctrl+Enter sends a form from its text.
addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  if (event.target instanceof HTMLTextAreaElement && event.target.matches('.code')) event.target.form?.requestSubmit()
})

async function sendInto(form, button) {
  const place = document.querySelector(form.dataset.into)
  const body = new FormData(form, button)
  const buttons = form.querySelectorAll('button')
  for (const each of buttons) each.disabled = true
  place.textContent = 'Please wait …'
  try {
    const answer = await fetch(form.action, { method: 'POST', body })
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    const part = page.querySelector(form.dataset.into)
    if (part) place.replaceChildren(...part.childNodes)
    else place.textContent = page.querySelector('h1')?.textContent ?? `The server answered ${answer.status}.`
  } catch (error) {
    place.textContent = error.message
  }
  for (const each of buttons) each.disabled = false
}

// A form asks before someone leaves it with changes that were not saved. A refused form has some at once.
for (const form of document.querySelectorAll('form[data-guard]')) {
  const read = () => JSON.stringify([...new FormData(form)].map(([name, value]) => [name, String(value)]))
  const before = form.dataset.guard === 'changed' ? null : read()
  let sent = false
  form.addEventListener('submit', () => (sent = true))
  // A long text that was not changed is not sent, because the server limits the size of a form.
  form.addEventListener('formdata', ({ formData }) => {
    for (const { name, value, defaultValue } of sent && before ? form.querySelectorAll('textarea') : [])
      if (value === defaultValue && value.length > 10_000) formData.delete(name)
  })
  addEventListener('beforeunload', (event) => {
    if (!sent && read() !== before) event.preventDefault()
  })
}

// The inputs for rows of other tables: what was typed is searched there, and the arrow keys choose.
let lists = 0
for (const picker of document.querySelectorAll('.picker')) pickFrom(picker)

function pickFrom(picker) {
  const input = picker.querySelector('input')
  const list = document.createElement('ul')
  list.id = `options-${++lists}`
  list.setAttribute('role', 'listbox')
  list.setAttribute('aria-label', 'Rows found')
  list.hidden = true
  for (const [name, value] of Object.entries({
    role: 'combobox',
    'aria-autocomplete': 'list',
    'aria-controls': list.id,
    'aria-expanded': 'false',
  }))
    input.setAttribute(name, value)
  input.removeAttribute('inputmode')
  input.after(list)
  let active = null
  let search = 0

  const close = () => {
    search++
    list.hidden = true
    input.setAttribute('aria-expanded', 'false')
    move(null)
  }
  const move = (option) => {
    active?.setAttribute('aria-selected', 'false')
    active = option
    active?.setAttribute('aria-selected', 'true')
    active?.scrollIntoView({ block: 'nearest' })
    if (active) input.setAttribute('aria-activedescendant', active.id)
    else input.removeAttribute('aria-activedescendant')
  }
  const choose = (option) => {
    input.value = option.dataset.value
    const chosen = picker.querySelector('.chosen')
    if (chosen) {
      const label = document.createElement('strong')
      label.className = 'chosen'
      label.textContent = option.firstChild.textContent
      chosen.replaceWith(label)
    }
    close()
  }
  const find = async () => {
    const mine = ++search
    await new Promise((done) => setTimeout(done, 150))
    if (mine !== search) return
    const url = `${picker.dataset.lookup}&q=${encodeURIComponent(input.value)}`
    const answer = await fetch(url, { headers: { accept: 'text/html' } }).catch(() => null)
    if (mine !== search || !answer?.ok) return
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    move(null)
    list.replaceChildren(...page.querySelectorAll('[role="option"]'))
    for (const option of list.children) option.id = `${list.id}-${option.id}`
    list.hidden = list.children.length === 0
    input.setAttribute('aria-expanded', String(!list.hidden))
  }

  input.addEventListener('input', find)
  input.addEventListener('blur', close)
  // The input keeps the focus, so that its `blur` does not close the list before the click.
  list.addEventListener('pointerdown', (event) => event.preventDefault())
  list.addEventListener('click', ({ target }) => {
    const option = target.closest('[role="option"]')
    if (option) choose(option)
  })
  input.addEventListener('keydown', (event) => {
    const { key } = event
    if (list.hidden) {
      if (key === 'ArrowDown') find()
      return
    }
    const options = [...list.children]
    const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0
    if (step !== 0) {
      const from = active === null && step < 0 ? options.length : options.indexOf(active)
      move(options.at((from + step) % options.length))
    } else if (key === 'Enter' && active) choose(active)
    else if (key === 'Escape') close()
    else return
    event.preventDefault()
  })
}
