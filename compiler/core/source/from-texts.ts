/** The files of a site that is given as texts by path, as `discover` would have read them from a folder. */
import type { SourceFile } from './file.ts'
import { classify } from './kinds.ts'
import { isManifest, readManifests } from './manifests.ts'
import { fillTemplateValues } from './template-values.ts'

/** Characters of a text with its template values. */
const LONGEST = 16 * 1024 * 1024

/**
 * The files of the site; manifests among the texts are none, they give their values.
 * @param strays whether a text by another name is a partial of that name; else it is left out
 * @throws RangeError for a text that its values make too long
 */
export function filesFromTexts(texts: Readonly<Record<string, string>>, strays: boolean): readonly SourceFile[] {
  const entries = Object.entries(texts)
  const manifests = readManifests(new Map(entries))
  return entries.flatMap(([path, text]): SourceFile[] => {
    if (isManifest(path)) return []
    const known = classify(path)
    const values = manifests.valuesFor(path)
    const filled = values === null ? null : fillTemplateValues(text, values, LONGEST)
    if (known !== null && !('reason' in known)) return [{ path, ...known, text, ...filled }]
    return strays ? [strayPartial(path, text)] : []
  })
}

/** A text by a name that is no path of a site: the partial of just that name. */
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
