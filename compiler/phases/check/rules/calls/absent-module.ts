/** `absent-module`: names from a module, or from an application, that is not installed. */
import { APPLICATION } from '../../../../core/diagnostics/absent-modules.ts'
import { type Diagnostic, message } from '../../../../core/diagnostics/diagnostic.ts'
import { joinWithAnd, quote } from '../../../../core/diagnostics/words.ts'
import { addTo } from '../../../../core/source/groups.ts'
import type { ModuleRequirements } from '../../../../core/source/manifests.ts'

/** Maximum number of names that a message lists. Other names are only counted. */
const MAX_NAMES = 10

function declaredIn(declared: { readonly path: string; readonly version: string } | null): string {
  if (declared === null) return ''
  const version = declared.version === '' ? '' : ` (${quote(declared.version)})`
  return `${quote(declared.path)} requires the module${version}. `
}

export const absentModule = message(
  'absent-module',
  'error',
  'AbsentModule',
  /** `declared`: the manifest that requires the module, and its version range. */
  (
    module: string,
    names: readonly string[],
    declared: { readonly path: string; readonly version: string } | null = null,
  ) => {
    if (module === APPLICATION)
      return {
        text: `This folder contains only modules, not their application. So these names are unknown: ${joinWithAnd(names, MAX_NAMES)}.`,
        hint: 'To check these names, put the modules into the folder of an application.',
      }
    const localNames = names.map((name) => name.slice(`modules/${module}/`.length))
    return {
      text: `The module ${quote(module)} is not installed, so these names are unknown: ${joinWithAnd(localNames, MAX_NAMES)}.`,
      hint: `${declaredIn(declared)}Install the module into \`modules/${module}\` with \`ingot modules install ${module}\`.`,
    }
  },
  {
    wrong: `{% function _ = 'modules/core/helpers/log', data: 1 %}{{ 'modules/core/logo.svg' | asset_url }}`,
    right: {
      'app/views/pages/index.liquid': `{% function _ = 'modules/core/helpers/log', data: 1 %}`,
      'modules/core/public/lib/helpers/log.liquid': '{% return data %}',
    },
  },
)

const NONE: ModuleRequirements = new Map()

/**
 * Replaces all diagnostics about names of an absent module with one diagnostic, at the first use. It is an error only if one of the uses
 * is an error in a file that a page runs. A missing application is only a warning, because modules are installed into an application.
 * @param isRunByPages whether a page certainly runs the file
 * @param requirements the modules that the manifests require
 */
export function gatherAbsentModules(
  diagnostics: readonly Diagnostic[],
  isRunByPages: (file: string) => boolean,
  requirements: ModuleRequirements = NONE,
): readonly Diagnostic[] {
  const usesByModule = new Map<string, Diagnostic[]>()
  for (const diagnostic of diagnostics) {
    if (diagnostic.absent !== undefined) addTo(usesByModule, diagnostic.absent.module, diagnostic)
  }
  if (usesByModule.size === 0) return diagnostics
  return diagnostics.flatMap((each) => {
    if (each.absent === undefined) return [each]
    const { module } = each.absent
    const usesOfModule = usesByModule.get(module) ?? []
    // A use that breaks a page is reported in preference to an earlier use.
    const failingUses = usesOfModule.filter(({ severity, span }) => severity === 'error' && isRunByPages(span.file))
    const shownUse = failingUses[0] ?? usesOfModule[0]
    if (each !== shownUse) return []
    const names = [...new Set([...failingUses, ...usesOfModule].flatMap(({ absent: use }) => use?.name ?? []))]
    const diagnostic = absentModule(each.span, module, names, requirements.get(module) ?? null)
    const isError = failingUses.length > 0 && module !== APPLICATION
    return [isError ? diagnostic : { ...diagnostic, severity: 'warning' as const }]
  })
}
