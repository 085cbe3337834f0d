/** Combines all diagnostics about names in a missing module, or in a missing application, into one diagnostic per module. */
import { APPLICATION } from '../../../core/diagnostics/absent-modules.ts'
import { absentModule } from '../rules/calls/absent-module.ts'
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import type { ModuleRequirements } from '../../../core/source/manifests.ts'

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
    if (diagnostic.absent === undefined) continue
    const knownUses = usesByModule.get(diagnostic.absent.module)
    if (knownUses === undefined) usesByModule.set(diagnostic.absent.module, [diagnostic])
    else knownUses.push(diagnostic)
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
