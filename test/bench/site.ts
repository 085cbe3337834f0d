/**
 * Generates a site of any size whose templates resemble real ones: loops, filters, calls, forms and static markup. The same seed gives the
 * same site.
 */

export interface GeneratedFile {
  readonly path: string
  readonly text: string
}

/** Bytes of one template. */
const SIZE = 2500

/** Returns `count` templates: pages, layouts, partials and functions. Every call has an existing target, and none is recursive. */
export function generateSite(count: number, seed = 7): readonly GeneratedFile[] {
  const writer = new SiteWriter(count, seed)
  return writer.files()
}

const WORDS =
  'order basket price lantern parcel seller buyer rating review address invoice listing category message profile photo ticket event'.split(
    ' ',
  )
const TEXT_FILTERS = [
  'upcase',
  'downcase',
  'capitalize',
  'strip',
  'truncate: 40',
  'truncatewords: 12',
  "default: '–'",
  "replace: '_', ' '",
  'strip_html',
  "append: '…'",
]
const NUMBER_FILTERS = ['plus: 1', 'minus: 1', 'times: 3', 'divided_by: 7', 'modulo: 5', 'at_least: 0', 'abs']

const DOC = `{% doc %}
  @param {object} item - what is shown
  @param {object[]} [items] - what belongs to it
{% enddoc %}
`

class SiteWriter {
  readonly #random: () => number
  readonly #partials: string[]
  readonly #functions: string[]
  readonly #pages: number

  constructor(count: number, seed: number) {
    this.#random = mulberry(seed)
    const functions = Math.floor(count * 0.15)
    this.#pages = Math.floor(count * 0.2)
    this.#functions = Array.from({ length: functions }, (_, at) => `lib_${at % 10}/compute_${at}`)
    const partials = count - functions - this.#pages - 2
    this.#partials = Array.from({ length: partials }, (_, at) => `${WORDS[at % WORDS.length]}/part_${at}`)
  }

  files(): readonly GeneratedFile[] {
    const files: GeneratedFile[] = []
    for (const name of ['application', 'plain'])
      files.push({ path: `app/views/layouts/${name}.liquid`, text: this.#layout() })
    for (let at = 0; at < this.#pages; at++)
      files.push({ path: `app/views/pages/${this.#word()}/page_${at}.liquid`, text: this.#page(at) })
    for (const [at, name] of this.#partials.entries())
      files.push({ path: `app/views/partials/${name}.liquid`, text: this.#partial(at) })
    for (const name of WORDS) files.push({ path: `app/assets/images/${name}.png`, text: '' })
    for (const [at, name] of this.#functions.entries())
      files.push({ path: `app/lib/${name}.liquid`, text: this.#function(at) })
    return files
  }

  #layout(): string {
    return `<!doctype html>
<html lang="{{ context.language }}">
<head><meta charset="utf-8"><title>{{ context.exports.page.title | default: 'Market' }}</title></head>
{% assign item = context.exports.item %}
<body class="{{ context.page.slug | downcase | replace: '/', '-' }}">
${this.#blocks(this.#partials.length, SIZE - 400)}
<main>{{ content_for_layout }}</main>
</body>
</html>
`
  }

  #page(at: number): string {
    const front = `---\nslug: ${this.#word()}/${at}\nlayout: ${at % 5 === 0 ? 'plain' : 'application'}\nmetadata:\n  title: ${this.#word()} ${at}\n---\n`
    const head =
      '{% assign item = context.exports.item %}\n{% assign items = context.exports.items | default: item.list %}\n<p>{{ items | size }} found</p>\n'
    return front + head + this.#blocks(this.#partials.length, SIZE - front.length - head.length)
  }

  #partial(at: number): string {
    const doc = at % 3 === 0 ? DOC : ''
    const head = '<h2>{{ item.title }}</h2>\n<p>{{ items | size }} found</p>\n'
    return doc + head + this.#blocks(at, SIZE - doc.length - head.length)
  }

  #function(at: number): string {
    let text = '{% liquid\n  assign result = { "id": item.id }\n  assign total = 0\n'
    while (text.length < SIZE * 0.6) {
      const name = this.#word()
      text += `  for entry in items
    assign total = total | plus: entry.${name}_cents
    if entry.${name} == blank
      continue
    elsif entry.${name}.count > ${this.#int(50)}
      assign ${name}_name = entry.${name}.name | ${this.#textFilter()} | ${this.#textFilter()}
      assign result['${name}'] = ${name}_name
    endif
  endfor\n`
      if (at > 0 && this.#random() < 0.3)
        text += `  function ${name}_other = '${this.#functions[this.#int(at)]}', items: item.${name}_list, item: item\n  assign result['${name}_other'] = ${name}_other\n`
    }
    return `${text}  assign result['total'] = total\n  return result\n%}\n`
  }

  /** Returns blocks of markup until the text has the given size. It may call the first `below` partials. */
  #blocks(below: number, size: number): string {
    let text = ''
    while (text.length < size) text += this.#block(below)
    return text
  }

  #block(below: number): string {
    const name = this.#word()
    switch (this.#int(9)) {
      case 0:
        return `<ul class="${name}-list">
{%- for ${name} in item.${name}_list limit: ${10 + this.#int(20)} %}
  <li class="{% cycle 'odd', 'even' %}{% if forloop.first %} first{% endif %}">
    <a href="/${name}/{{ ${name}.id }}">{{ ${name}.title | ${this.#textFilter()} | ${this.#textFilter()} }}</a>
    <span>{{ ${name}.price_cents | ${this.#numberFilter()} | ${this.#numberFilter()} }}</span>
  </li>
{%- else %}
  <li class="empty">Nothing here yet</li>
{%- endfor %}
</ul>
`
      case 1:
        return `{% if item.${name}.state == 'open' and item.${name}.count > ${this.#int(9)} %}
  <p class="open">{{ item.${name}.label | ${this.#textFilter()} }}</p>
{% elsif item.${name}.state == 'closed' or item.${name} == blank %}
  <p class="closed">{{ item.${name}.closed_at | date: '%Y-%m-%d' }}</p>
{% else %}
  <p>{{ item.${name}.note | ${this.#textFilter()} | ${this.#textFilter()} | ${this.#textFilter()} }}</p>
{% endif %}
`
      case 2:
        return `{% assign ${name}_total = item.${name}_cents | ${this.#numberFilter()} | ${this.#numberFilter()} %}
{% capture ${name}_label %}{{ item.${name}.name | ${this.#textFilter()} }}: {{ ${name}_total }}{% endcapture %}
<p class="total">{{ ${name}_label }} <em>{{ item.${name}.tags | join: ', ' }}</em></p>
`
      case 3:
        return `{% case item.${name}.kind %}
  {% when 'new' %}<span class="badge badge--new">New</span>
  {% when 'hot', 'trending' %}<span class="badge badge--hot">Hot</span>
  {% else %}<span class="badge">{{ item.${name}.kind | ${this.#textFilter()} }}</span>
{% endcase %}
`
      case 4:
        return `<form action="/${name}/{{ item.id }}" method="post" class="form form--${name}">
  <label for="${name}_name">Name</label>
  <input id="${name}_name" name="${name}[name]" value="{{ item.${name}.name | truncate: 80 }}" type="text" required>
  <label for="${name}_note">Note</label>
  <textarea id="${name}_note" name="${name}[note]" rows="4">{{ item.${name}.note }}</textarea>
  <button type="submit" class="button button--primary">Save and continue</button>
</form>
`
      case 5:
      case 6:
        return below === 0
          ? ''
          : `{% render '${this.#partials[this.#int(below)]}', item: item.${name}, items: item.${name}_list %}\n`
      case 7:
        return `{% function ${name}_data = '${this.#functions[this.#int(this.#functions.length)]}', items: item.${name}_list, item: item.${name} %}
<dl><dt>${name}</dt><dd>{{ ${name}_data.total | ${this.#numberFilter()} }}</dd><dt>other</dt><dd>{{ ${name}_data.id | ${this.#textFilter()} }}</dd></dl>
`
      default:
        return `<section class="hero hero--${name}">
  <h2>Find your next ${name}</h2>
  <p>Hundreds of people near you share what they make, mend and grow. Look around, ask a question, or offer something of your own.</p>
  <img src="{{ 'images/${name}.png' | asset_url }}" alt="A ${name}" width="640" height="320">
</section>
`
    }
  }

  #textFilter(): string {
    return TEXT_FILTERS[this.#int(TEXT_FILTERS.length)]!
  }

  #numberFilter(): string {
    return NUMBER_FILTERS[this.#int(NUMBER_FILTERS.length)]!
  }

  #word(): string {
    return WORDS[this.#int(WORDS.length)]!
  }

  #int(below: number): number {
    return Math.floor(this.#random() * below)
  }
}

function mulberry(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}
