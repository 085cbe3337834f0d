/** Modules and applications that are not here: however many of their names are used, one message each. */
import { APPLICATION } from '../../../core/diagnostics/absent-modules.ts'
import { absentModule } from '../../../core/diagnostics/codes/calls/absent-module.ts'
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import type { ModuleRequirements } from '../../../core/source/manifests.ts'

const NONE: ModuleRequirements = new Map()

/**
 * Puts one message for each absent module in the place of all that is said of its names, where the first of them stands. It is an error
 * only where one of the uses is, in a file that a page runs (`runByPages`). An application that is not here is a warning: modules are
 * written to be put into one. `requirements`: what manifests ask for.
 */
export function gatherAbsentModules(
  all: readonly Diagnostic[],
  runByPages: (file: string) => boolean,
  requirements: ModuleRequirements = NONE,
): readonly Diagnostic[] {
  const uses = new Map<string, Diagnostic[]>()
  for (const each of all) {
    if (each.absent === undefined) continue
    const known = uses.get(each.absent.module)
    if (known === undefined) uses.set(each.absent.module, [each])
    else known.push(each)
  }
  if (uses.size === 0) return all
  return all.flatMap((each) => {
    if (each.absent === undefined) return [each]
    const { module } = each.absent
    const ofModule = uses.get(module) ?? []
    // What breaks a page is what the author looks for.
    const failing = ofModule.filter(({ severity, span }) => severity === 'error' && runByPages(span.file))
    const shown = failing[0] ?? ofModule[0]
    if (each !== shown) return []
    const names = [...new Set([...failing, ...ofModule].flatMap(({ absent: use }) => use?.name ?? []))]
    const diagnostic = absentModule(each.span, module, names, requirements.get(module) ?? null)
    const isError = failing.length > 0 && module !== APPLICATION
    return [isError ? diagnostic : { ...diagnostic, severity: 'warning' as const }]
  })
}
