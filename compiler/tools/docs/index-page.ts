/** The start page: what a site can do, task by task, and below it the folded lists of the reference. The search looks in all of them. */
import { escapeHtml } from '../../core/source/html-text.ts'
import type { Entry, SectionName } from './entry.ts'
import { renderFrame, renderInline, SECTIONS, TITLED } from './html.ts'

/** What each list of the reference contains. */
const CONTENTS: Readonly<Record<Exclude<SectionName, 'tutorial' | 'guides'>, string>> = {
  cookbook: 'Recipes for single tasks, each with all of its files: a waiting list, a webhook, a CSV export.',
  filters: 'What changes a value: `{{ name | upcase }}`.',
  tags: 'What a template does: `{% for %}`, `{% graphql %}`.',
  objects: 'What a template can read: `context`, `form`, `forloop`.',
  settings: 'The keys of front matter and of YAML files.',
  validations: 'What a form checks.',
  diagnostics: 'Every message of the compiler, with a wrong and a right example.',
  production: 'Installing, TLS, all environment variables, backups, several servers.',
  tools: 'All commands of `ingot`, editors, agents.',
  liquidjs: 'The options, filters and tags of that library, compared.',
}

/** Renders the start page. @param script the search script */
export function indexPage(entries: readonly Entry[], script: string): string {
  const own = (section: SectionName) => entries.filter((entry) => entry.section === section)
  const lists = SECTIONS.flatMap(([section, label]) =>
    section === 'tutorial' || section === 'guides' || section === 'cookbook'
      ? []
      : [foldedList(section, label, own(section))],
  )
  const tutorial = own('tutorial')
  const main = `<main id="content">
<h1>What do you want to do?</h1>
<search class="find"><input type="search" id="find" placeholder="Search tasks, names and descriptions" aria-label="Search the documentation" autocomplete="off" spellcheck="false"></search>
<p class="none" id="none" role="status"></p>
<ul class="cards" id="results" hidden></ul>
<div id="lists">
<section class="first">
<h2><a href="${tutorial[0]?.path}">Begin with the tutorial</a></h2>
<p>A club's calendar, from an empty folder to a release, in an hour: accounts, events with photos, registrations with a waiting list, mails, two languages, tests.</p>
<ul class="cards tasks" id="tutorial">
${cards(tutorial)}
</ul>
</section>
<h2>Tasks</h2>
<ul class="cards tasks" id="guides">
${cards(own('guides'))}
</ul>
${foldedList('cookbook', 'The cookbook', own('cookbook'))}
<h2>The reference</h2>
${lists.join('\n')}
</div>
</main>`
  return renderFrame({ title: 'Ingot documentation', root: '', section: null, search: false, main, script })
}

function isOld(entry: Entry): boolean {
  return entry.badges.some(({ text }) => text === 'deprecated')
}

/** A closed list. A link to its id opens it, with and without scripts. Deprecated names are in a closed list inside it. */
function foldedList(section: keyof typeof CONTENTS, label: string, own: readonly Entry[]): string {
  const current = own.filter((entry) => !isOld(entry))
  const old = own.filter(isOld)
  const folded =
    old.length === 0
      ? ''
      : `\n<details><summary>${old.length} deprecated</summary>\n<ul class="cards">\n${cards(old)}\n</ul>\n</details>`
  return `<details class="list"><summary><b>${escapeHtml(label)}</b> <small>${current.length}</small> <span>${renderInline(CONTENTS[section])}</span></summary>
<ul class="cards${TITLED.has(section) ? ' tasks' : ''}" id="${section}">
${cards(current)}
</ul>${folded}
</details>`
}

function cards(entries: readonly Entry[]): string {
  return entries
    .flatMap((entry) => [
      card(entry.name, entry.summary, entry.path, entry.words, isOld(entry) ? 'old' : ''),
      ...entry.also.map(({ name, summary, id, words }) =>
        card(name, summary, id === '' ? entry.path : `${entry.path}#${id}`, words, 'inner'),
      ),
    ])
    .join('\n')
}

function card(name: string, summary: string, href: string, words: string | undefined, kind: string): string {
  const attributes = `${kind === '' ? '' : ` class="${kind}"`}${words === undefined ? '' : ` data-words="${escapeHtml(words)}"`}`
  return `<li${attributes}><a href="${escapeHtml(href)}"><b>${escapeHtml(name)}</b><span>${renderInline(summary)}</span></a></li>`
}
