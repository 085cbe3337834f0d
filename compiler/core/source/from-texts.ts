/** Creates the files of a site from texts by path, as if `discover` had read them from a folder. */
import type { SourceFile } from './file.ts'
import { classify } from './kinds.ts'
import { isManifest, readManifests } from './manifests.ts'
import { fillTemplateValues } from './template-values.ts'

/** Maximum length of a text with its template values, in characters. */
const MAX_LENGTH = 16 * 1024 * 1024

/**
 * Returns the files of the site. Manifests among the texts are not files; they define template values.
 * @param strays whether a text with any other name becomes a partial; otherwise it is ignored
 * @throws RangeError if a text is too long with its template values
 */
export function filesFromTexts(texts: Readonly<Record<string, string>>, strays: boolean): readonly SourceFile[] {
  const entries = Object.entries(texts)
  const manifests = readManifests(new Map(entries))
  return entries.flatMap(([path, text]): SourceFile[] => {
    if (isManifest(path)) return []
    const classified = classify(path)
    const values = manifests.valuesFor(path)
    const filledText = values === null ? null : fillTemplateValues(text, values, MAX_LENGTH)
    if (classified !== null && !('reason' in classified)) return [{ path, ...classified, text, ...filledText }]
    return strays ? [strayPartial(path, text)] : []
  })
}

/** Creates a partial from a text whose name is not a path of a site. */
export function strayPartial(name: string, text: string): SourceFile {
  return {
    path: name,
    kind: 'partial',
    name,
    module: null,
    visibility: null,
    override: false,
    format: null,
    text,
  }
}
