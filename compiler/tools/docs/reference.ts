/** Builds the whole reference as files: an index, a stylesheet, and a page for each entry. */
import { agentEntries } from './agents.ts'
import { diagnosticEntries } from './diagnostics.ts'
import { editorEntries } from './editors.ts'
import { commandEntries } from './commands.ts'
import { COOKBOOK } from './cookbook/index.ts'
import type { Entry } from './entry.ts'
import { filterEntries } from './filters.ts'
import { GUIDES } from './guides/index.ts'
import { entryPage, playgroundPage, SECTIONS } from './html.ts'
import { indexPage } from './index-page.ts'
import { liquidjsEntries } from './liquidjs.ts'
import { markdownFiles } from './markdown.ts'
import { objectEntries } from './objects.ts'
import { PLAYGROUND, PLAYGROUND_SCRIPT, playgroundEngine } from './playground.ts'
import { productionEntries } from './production.ts'
import { SEARCH } from './search.ts'
import { settingEntries } from './settings.ts'
import { STYLE } from './style.ts'
import { tagEntries } from './tags.ts'
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
    ...commandEntries(),
    ...editorEntries(),
    ...agentEntries(),
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
    ['reference.css', STYLE],
    ['playground.html', playgroundPage(PLAYGROUND)],
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
