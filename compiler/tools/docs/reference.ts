/** Builds the whole reference as files: an index, a stylesheet, and a page for each entry. */
import { diagnosticEntries } from './diagnostics.ts'
import { COOKBOOK } from './cookbook/index.ts'
import type { Entry } from './entry.ts'
import { filterEntries } from './filters.ts'
import { GUIDES } from './guides/index.ts'
import { entryPage, playgroundPage, SECTIONS } from './html.ts'
import { indexPage } from './index-page.ts'
import { liquidjsEntries } from './liquidjs.ts'
import { markdownFiles } from './markdown.ts'
import { objectEntries } from './objects.ts'
import playground from './playground.html'
import { playgroundEngine } from './playground.ts'
import { productionEntries } from './production.ts'
import { PLAYGROUND_SCRIPT, SEARCH } from './scripts.ts'
import stylesheet from './reference.css'
import { settingEntries } from './settings.ts'
import { tagEntries } from './tags.ts'
import { TOOLS } from './tools/index.ts'
import { TUTORIAL } from './tutorial/index.ts'
import { validationEntries } from './validations.ts'

/** Returns all entries, section by section. @internal Exported for tests. */
export async function allEntries(): Promise<readonly Entry[]> {
  return [
    ...TUTORIAL,
    ...GUIDES,
    ...COOKBOOK,
    ...(await filterEntries()),
    ...tagEntries(),
    ...objectEntries(),
    ...settingEntries(),
    ...validationEntries(),
    ...diagnosticEntries(),
    ...productionEntries(),
    ...TOOLS,
    ...liquidjsEntries(),
  ]
}

/** Returns the files to write into a folder: HTML pages and Markdown. */
export async function writtenFiles(): Promise<ReadonlyMap<string, string>> {
  const entries = await allEntries()
  return new Map([...pages(entries), ...markdownFiles(entries)])
}

/** Returns the files of the reference by path. */
export async function referenceFiles(): Promise<ReadonlyMap<string, string>> {
  return pages(await allEntries())
}

function pages(entries: readonly Entry[]): ReadonlyMap<string, string> {
  const files = new Map([
    ['index.html', indexPage(entries, SEARCH)],
    ['reference.css', stylesheet],
    ['playground.html', playgroundPage(playground.trimEnd())],
    ['playground.js', PLAYGROUND_SCRIPT],
    ['playground-engine.js', playgroundEngine()],
  ])
  for (const [section] of SECTIONS) {
    const own = entries.filter((entry) => entry.section === section)
    for (const [at, entry] of own.entries())
      files.set(entry.path, entryPage(entry, own[at - 1] ?? null, own[at + 1] ?? null))
  }
  return files
}
